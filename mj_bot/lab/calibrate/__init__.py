"""What games of the search against itself tell: danger, outlook, arrivals, habits."""
