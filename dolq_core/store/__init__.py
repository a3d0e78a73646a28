"""The log of a run on disk, in memory, or as one file; only `sqlite` knows SQLite.

record --codec--> JSON --sqlite--> database     what every store checks is in `rules`
|`---standby-> memory, until the database takes it
`----files---> one file to hand on
"""
