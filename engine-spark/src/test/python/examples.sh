#!/bin/sh
# Runs the examples of docs/spark.md in spark-shell, spark-sql and PySpark, with the jar of engine-spark
# that JAR names, or else as it is built now. Spark is that of SPARK_HOME, or else the one of the package pyspark of PYTHON, which
# is python3 by default:
#
#   python3 -m venv venv && venv/bin/pip install pyspark==4.2.0
#   PYTHON=venv/bin/python engine-spark/src/test/python/examples.sh
set -eu
unset CDPATH
root=$(cd -- "$(dirname -- "$0")/../../../.." > /dev/null && pwd -P)
python=$(command -v "${PYTHON:-python3}")
case $python in /*) ;; *) python=$PWD/$python ;; esac
if [ -z "${SPARK_HOME:-}" ]; then
  SPARK_HOME=$("$python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')
fi
export SPARK_HOME PYSPARK_PYTHON="$python" PYSPARK_DRIVER_PYTHON="$python"
export SPARK_LOCAL_IP=127.0.0.1

jar=${JAR:-}
if [ -z "$jar" ]; then
  (cd "$root" && mvn -q -B package -Dlibrary -DskipChecks -pl engine-spark -am)
  jar=$(ls "$root"/engine-spark/target/engine-spark-*.jar | grep -v -e sources -e javadoc)
fi
case $jar in /*) ;; *) jar=$PWD/$jar ;; esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir docs
cp -r "$root/docs/sample" docs/
"$root/siltstone" load --schema docs/sample/schema.cql --input docs/sample/readings.jsonl \
  --output readings > /dev/null

# Prints the blocks of a language on the page.
blocks() {
  awk -v fence="\`\`\`$1" '$0 == "```" { inside = 0 } inside { print } $0 == fence { inside = 1 }' \
    "$root/docs/spark.md"
}

# Runs a program with the jar, and shows what it prints; fails where a shell would go on after an error.
run() {
  name=$1
  shift
  echo "== $name"
  if ! "$SPARK_HOME/bin/$name" --master "local[2]" --jars "$jar" --conf spark.ui.enabled=false \
    --conf spark.log.level=ERROR "$@" > "$name.txt" 2>&1; then
    cat "$name.txt"
    echo "$name failed" >&2
    exit 1
  fi
  grep -v -e '^WARNING' -e '^Using Spark' -e '^Setting default' "$name.txt" || :
  if grep -q -i -e 'exception' -e 'error:' -e '-- \[E[0-9]' "$name.txt"; then
    echo "$name reported an error" >&2
    exit 1
  fi
}

blocks scala > examples.scala
[ -s examples.scala ]
echo 'assert(spark.read.format("sstable").load("cold").count() > 0)' >> examples.scala
run spark-shell < examples.scala

blocks spark-sql > examples.sql
[ -s examples.sql ]
run spark-sql --conf spark.sql.catalogImplementation=in-memory -f examples.sql
grep -q '^2024-03-01' spark-sql.txt

blocks python > examples.py
[ -s examples.py ]
run spark-submit "$root/engine-spark/src/test/python/examples.py" examples.py
echo "all examples of docs/spark.md have run"
