"""Defines the tables of the library's file, and how a file of an older version becomes one of this version.

games       a game each. key: of game_content.make_key. platform: "" for games of files that name none, "here" for
            games played here. file: name of the file or link; path: all of it. time: seconds since 1970 at which it was
            played, or of its file. tactic: the judges that reviewed it, NULL before. fans: JSON of [points, copies,
            name] of the win. content: game_content.pack_game. players, identities: JSON of game_content.name_players
            and identify_players
reviews     content: pack_value of the game as review/games.py describes it
players     a player each. identity: of game_content.identify_players. name: the player's latest one, with the id where
            two players share it. person: id of the person's main name, which is the own id unless names were
            joined
seats       a seat of a reviewed game each, with its figures: figures.FIGURES as float32
decisions   a decision of a reviewed game each. kind: of the action in the record. shanten, eight: tiles from ready, see
            leaks.count_steps, and from a hand of eight fan. first, second: loss in points by the first and the second
            judge. loss: the loss by all judges. grade: its class. leak, plan: see leaks.py, NULL where no mistake was
            made. danger: chance to deal in. milliseconds: of thinking. win_chance, pay_chance: the judge's forecast.
            chance: that the action is worse than the best one. NULL where a value is unknown
files       a file that was imported, as it was before it was read: size in bytes, time of its last change in
            nanoseconds since 1970
collections the games of a file, in their order, under the name of the file's page
learned     an answer to a position that was asked each, see learn/lessons.py. key: of the game. is_right: 1 where the
            first choice was right
lessons     a position that was asked each. step: number of intervals that it has passed. due: the beginning of the day
            on which it comes back, in seconds since 1970, NULL for none
matches     a match of the table that is not over each, see Library.keep_match
"""

LIBRARY_VERSION = 10
_WITH_IDENTITIES = 8  # the first version with the ids of players
_ADD_IDENTITIES = """
ALTER TABLE games ADD COLUMN identities TEXT NOT NULL DEFAULT '[]';
UPDATE games SET identities = players;
ALTER TABLE players ADD COLUMN identity TEXT;
UPDATE players SET identity = name;
"""
# The games of an older version are judged again. They stay, and so do joined names and the answers of learning.
JUDGE_AGAIN = """
DROP TABLE IF EXISTS decisions;
DROP TABLE IF EXISTS seats;
DROP TABLE IF EXISTS reviews;
DROP TABLE IF EXISTS files;
UPDATE games SET tactic = NULL;
"""
TABLES = """
CREATE TABLE IF NOT EXISTS games (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, title TEXT NOT NULL, platform TEXT NOT NULL, session TEXT,
  session_title TEXT NOT NULL, hand INTEGER, hands INTEGER, file TEXT NOT NULL, path TEXT NOT NULL, time REAL NOT NULL,
  added REAL NOT NULL, players TEXT NOT NULL, scores TEXT, verdict TEXT, winner INTEGER, giver INTEGER, fan INTEGER,
  fans TEXT, error TEXT, tactic TEXT, content BLOB NOT NULL, identities TEXT NOT NULL DEFAULT '[]');
CREATE INDEX IF NOT EXISTS games_by_time ON games (time, id);
CREATE INDEX IF NOT EXISTS games_without_review ON games (id) WHERE tactic IS NULL;
CREATE TABLE IF NOT EXISTS reviews (game INTEGER PRIMARY KEY REFERENCES games ON DELETE CASCADE, content BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS players (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, person INTEGER NOT NULL, identity TEXT);
CREATE INDEX IF NOT EXISTS players_by_person ON players (person);
CREATE UNIQUE INDEX IF NOT EXISTS players_by_identity ON players (identity);
CREATE TABLE IF NOT EXISTS seats (
  game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE, seat INTEGER NOT NULL,
  player INTEGER NOT NULL REFERENCES players, figures BLOB NOT NULL, PRIMARY KEY (game, seat)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS seats_by_player ON seats (player, game);
CREATE TABLE IF NOT EXISTS decisions (
  game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE, seat INTEGER NOT NULL, frame INTEGER NOT NULL,
  player INTEGER NOT NULL REFERENCES players, turn INTEGER NOT NULL, kind TEXT NOT NULL, logged TEXT NOT NULL,
  chosen TEXT NOT NULL, shanten INTEGER, eight INTEGER, first REAL, second REAL, loss REAL, grade TEXT, leak TEXT,
  plan TEXT, danger REAL, milliseconds REAL, win_chance REAL, pay_chance REAL, chance REAL,
  PRIMARY KEY (game, seat, frame)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS decisions_by_leak ON decisions (player, leak, loss, shanten) WHERE leak IS NOT NULL;
CREATE TABLE IF NOT EXISTS files (
  path TEXT PRIMARY KEY, size INTEGER NOT NULL, time INTEGER NOT NULL, inode INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS collections (
  name TEXT NOT NULL, position INTEGER NOT NULL, game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
  PRIMARY KEY (name, position)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS collections_by_game ON collections (game);
CREATE TABLE IF NOT EXISTS learned (
  id INTEGER PRIMARY KEY, time REAL NOT NULL, key TEXT NOT NULL, seat INTEGER NOT NULL, frame INTEGER NOT NULL,
  is_right INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS lessons (
  key TEXT NOT NULL, seat INTEGER NOT NULL, frame INTEGER NOT NULL, step INTEGER NOT NULL, due REAL,
  PRIMARY KEY (key, seat, frame)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS lessons_by_due ON lessons (due) WHERE due IS NOT NULL;
CREATE TABLE IF NOT EXISTS matches (name TEXT PRIMARY KEY, time REAL NOT NULL, content BLOB NOT NULL) WITHOUT ROWID;
"""


def list_statements(version: int) -> list[str]:
    """Returns the SQL that brings a library of a version to LIBRARY_VERSION. version: 0 for a new file."""
    script = _ADD_IDENTITIES * (0 < version < _WITH_IDENTITIES) + JUDGE_AGAIN * (0 < version < LIBRARY_VERSION)
    return list(filter(str.strip, (script + TABLES).split(";")))
