/** Managed beans of a database: what it holds and does, and what an operator may ask of it. */
module io.siltstone.jmx {
  requires static transitive org.jspecify;
  requires transitive io.siltstone.compaction;
  requires transitive io.siltstone.core;
  requires transitive java.management;
  requires org.slf4j;

  exports io.siltstone.jmx;
}
