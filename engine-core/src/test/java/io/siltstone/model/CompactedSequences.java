package io.siltstone.model;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Sequences with many compactions, whose answers do not depend on what a compaction has forgotten.
 */
public final class CompactedSequences {
  private CompactedSequences() {}

  /** With any timestamps: then nothing may be forgotten for long. */
  public static Sequence ofAnyTimestamps(long seed, int operations) {
    return compacting(
        SequenceGenerator.draw(seed, operations), CompactedSequences::withoutTtlOfOwnTimestamps);
  }

  /**
   * With timestamps that grow: all that is deleted or has expired is forgotten within seconds or at
   * once, and nothing of it may come back.
   */
  public static Sequence ofShortLivedTombstones(long seed, int operations) {
    return compacting(
        shortLived(SequenceGenerator.draw(seed, operations)),
        CompactedSequences::withTimestampsOfTheClock);
  }

  /** With more compactions, and no questions about the past, which a compaction may forget. */
  private static Sequence compacting(Sequence sequence, UnaryOperator<Step> change) {
    Random random = new Random(sequence.seed());
    List<Operation> operations = new ArrayList<>();
    for (Operation operation : sequence.operations()) {
      if (operation instanceof Operation.Ask ask) {
        operations.add(new Operation.Ask(ofNow(ask.question())));
      } else if (operation instanceof Operation.Write write) {
        operations.add(new Operation.Write(changed(write.changes(), change)));
        if (random.nextInt(4) == 0) {
          operations.add(new Operation.Flush(write.changes().get(0).table()));
        }
      } else if (operation instanceof Operation.Import imported) {
        operations.add(new Operation.Import(imported.table(), changed(imported.changes(), change)));
      } else if (operation instanceof Operation.WriteIf writeIf) {
        operations.add(
            new Operation.WriteIf(
                changed(List.of(writeIf.change()), change).get(0),
                writeIf.clustering(),
                writeIf.requirements()));
      } else {
        operations.add(operation);
      }
      if (random.nextInt(10) == 0) {
        String table = sequence.tables().get(random.nextInt(sequence.tables().size())).name();
        operations.add(new Operation.Compact(table, random.nextLong()));
        operations.add(new Operation.AdvanceClock(random.nextInt(3)));
      }
    }
    return new Sequence(
        sequence.seed(),
        sequence.partitioner(),
        sequence.start(),
        sequence.tables(),
        List.copyOf(operations));
  }

  private static Question ofNow(Question question) {
    return new Question(
        question.table(),
        question.partitions(),
        question.rows(),
        question.reversed(),
        question.distinct(),
        question.select(),
        question.limit(),
        question.perPartitionLimit(),
        question.pageSize(),
        OptionalLong.empty());
  }

  private static List<Change> changed(List<Change> changes, UnaryOperator<Step> step) {
    return changes.stream()
        .map(
            change ->
                new Change(
                    change.table(), change.key(), change.steps().stream().map(step).toList()))
        .toList();
  }

  /**
   * Of two expiring cells of one timestamp the later to expire wins; but once the other has expired
   * and was compacted, it is a tombstone, which wins over both. So it is in Cassandra.
   */
  private static Step withoutTtlOfOwnTimestamps(Step step) {
    @Nullable Integer ttl = step.timestamp() == null ? step.ttl() : Integer.valueOf(0);
    return new Step(step.timestamp(), ttl, step.action());
  }

  private static Step withTimestampsOfTheClock(Step step) {
    return new Step(null, step.ttl(), step.action());
  }

  /** With tables whose tombstones may go after some seconds, or at once. */
  private static Sequence shortLived(Sequence sequence) {
    Random random = new Random(~sequence.seed());
    List<Operation> operations = new ArrayList<>();
    sequence
        .tables()
        .forEach(
            table ->
                operations.add(
                    new Operation.SetOptions(
                        table.name(),
                        "gc_grace_seconds = " + List.of(0, 1, 5).get(random.nextInt(3)))));
    operations.addAll(sequence.operations());
    return new Sequence(
        sequence.seed(),
        sequence.partitioner(),
        sequence.start(),
        sequence.tables(),
        List.copyOf(operations));
  }
}
