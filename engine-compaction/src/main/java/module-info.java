/** Merging of SSTables: strategies, scheduling, throttling. */
module io.siltstone.compaction {
  requires static transitive org.jspecify;
  requires transitive io.siltstone.core;
  requires org.slf4j;

  exports io.siltstone.compaction;
  exports io.siltstone.compaction.simulate;
  exports io.siltstone.compaction.strategy;
  exports io.siltstone.compaction.task;
  exports io.siltstone.compaction.throttle;

  provides io.siltstone.spi.CompactorFactory with
      io.siltstone.compaction.CompactionService;
}
