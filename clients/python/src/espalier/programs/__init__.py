"""The host of programs that models write: it has nothing for other code to import."""
