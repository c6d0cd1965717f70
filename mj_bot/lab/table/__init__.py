"""One game at a table: walls, the referee, the players, and the record of the game."""
