/** Compaction of SSTables: strategies, jobs, the throttle. */
module io.siltstone.compaction {
  requires static transitive org.jspecify;
  requires transitive io.siltstone.core;
  requires org.slf4j;

  exports io.siltstone.compaction;
  exports io.siltstone.compaction.report;

  provides io.siltstone.spi.CompactorFactory with
      io.siltstone.compaction.CompactionService;
}
