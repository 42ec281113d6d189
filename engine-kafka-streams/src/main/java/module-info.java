/** State stores for Kafka Streams. */
module io.siltstone.kafka.streams {
  requires static transitive org.jspecify;
  requires transitive io.siltstone.core;
  requires transitive kafka.streams;
  requires transitive kafka.clients;
  requires io.siltstone.compaction;
  requires io.siltstone.compress;
  requires org.slf4j;

  exports io.siltstone.kafka.streams;
}
