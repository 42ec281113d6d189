/** JMX beans of a database: its figures, and operations for an operator. */
module io.siltstone.jmx {
  requires static transitive org.jspecify;
  requires transitive io.siltstone.compaction;
  requires transitive io.siltstone.core;
  requires transitive java.management;
  requires org.slf4j;

  exports io.siltstone.jmx;
}
