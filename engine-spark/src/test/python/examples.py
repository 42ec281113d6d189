"""Runs the Python of docs/spark.md as the PySpark shell would, and checks what it has made."""

import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
with open("docs/sample/schema.cql") as file:
    schema = file.read()
sample = spark.read.format("sstable").load("readings")
rows = sample.count()
assert rows > 100, rows


def snapshot(path, frame):
    writer = frame.write.format("sstable").mode("append")
    writer.option("schema", schema).save(path)


# One row is gone on Tuesday, one has another value.
snapshot("monday", sample)
first, second = sample.select("station", "day", "hour").limit(2).collect()


def is_row(row):
    return "station = '%s' AND day = DATE'%s' AND hour = %d" % tuple(row)


changed = "CASE WHEN %s THEN 100.0D ELSE temperature END" % is_row(second)
snapshot(
    "tuesday",
    sample.where("NOT (%s)" % is_row(first)).selectExpr(
        *["%s AS temperature" % changed if c == "temperature" else c for c in sample.columns]
    ),
)

shell = {"spark": spark}
with open(sys.argv[1]) as file:
    exec(compile(file.read(), sys.argv[1], "exec"), shell)


def rows_of(frame):
    return sorted(map(str, frame.collect()))


expected = rows_of(sample)
assert rows_of(spark.read.parquet("readings.parquet")) == expected
loaded = spark.read.format("sstable").load("load/weather/readings")
assert rows_of(loaded) == expected
assert sum(row["count"] for row in shell["days"].collect()) == rows
assert shell["removed"].count() == 1
assert shell["removed"].first()[:3] == first[:3]
assert shell["added"].count() == 0
assert [row[:3] for row in shell["changed"].collect()] == [second[:3]]
spark.stop()
