package io.siltstone.interop;

import io.siltstone.model.Sequence;
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

/** Cassandra behaves like the reference model by which the engine is tested. */
class SequencesAgreeTest {
  private static final int OPERATIONS = 150;

  static LongStream seeds() {
    return RandomCases.seeds(4);
  }

  static LongStream seedsOfWide() {
    return RandomCases.seeds(1);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void cassandraAnswersAsTheModelSays(long seed) {
    CassandraNode node = CassandraNode.get();
    List<String> names = List.of(node.newTableName(), node.newTableName());
    run(SequenceGenerator.draw(seed, OPERATIONS, partitioner(node), start(), names));
  }

  @ParameterizedTest
  @MethodSource("seedsOfWide")
  void soItDoesOverPartitionsOfManyRows(long seed) {
    CassandraNode node = CassandraNode.get();
    run(
        SequenceGenerator.drawWide(
            seed, OPERATIONS, partitioner(node), start(), node.newTableName()));
  }

  private static void run(Sequence sequence) {
    new SequenceRunner((of, clock) -> new CassandraEngine(CassandraNode.get(), clock))
        .run(sequence);
  }

  /** Returns a time ahead of Cassandra's clock, so that nothing has expired for its compactions. */
  private static Instant start() {
    return Instant.now().truncatedTo(ChronoUnit.DAYS).plus(Duration.ofDays(2));
  }

  private static Partitioner partitioner(CassandraNode node) {
    return node.options().partitioner() == NodeOptions.Partitioner.MURMUR3
        ? Partitioner.MURMUR3
        : Partitioner.BYTE_ORDERED;
  }
}
