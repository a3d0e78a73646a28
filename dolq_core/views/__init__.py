"""What a page shows of a run or of data, computed without a user interface. Nothing here changes a run."""
