package io.siltstone.interop;

import io.siltstone.model.SequenceGenerator;
import io.siltstone.model.SequenceRunner;
import io.siltstone.partitioner.Partitioner;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Cassandra answers as the model does, by which the engine is judged. */
class SequencesAgreeTest {
  private static final int OPERATIONS = 150;

  static LongStream seeds() {
    return Campaign.seeds(4);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void cassandraAnswersAsTheModelSays(long seed) {
    CassandraNode node = CassandraNode.get();
    // Ahead of Cassandra's clock, so that its compactions find nothing that has expired.
    Instant start = Instant.now().truncatedTo(ChronoUnit.DAYS).plus(Duration.ofDays(2));
    Partitioner partitioner =
        node.options().partitioner() == NodeOptions.Partitioner.MURMUR3
            ? Partitioner.MURMUR3
            : Partitioner.BYTE_ORDERED;
    List<String> names = List.of(node.newTableName(), node.newTableName());
    new SequenceRunner((sequence, clock) -> new CassandraEngine(node, clock))
        .run(SequenceGenerator.draw(seed, OPERATIONS, partitioner, start, names));
  }
}
