/** Micrometer meters of a database. */
module io.siltstone.micrometer {
  requires static transitive org.jspecify;
  requires transitive io.siltstone.compaction;
  requires transitive io.siltstone.core;
  requires transitive micrometer.core;

  exports io.siltstone.micrometer;
}
