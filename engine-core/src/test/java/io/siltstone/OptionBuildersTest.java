package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.WriteIntent;
import io.siltstone.liveset.LiveSetOptions;
import io.siltstone.schema.TableOptions;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.sstable.metadata.CommitLogPosition;
import io.siltstone.sstable.metadata.RepairState;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for the builders of all options. */
class OptionBuildersTest {
  static Stream<Object> builders() {
    return Stream.of(
        DatabaseOptions.builder(),
        CommitLogOptions.builder(),
        TableOptions.builder(),
        SSTableWriterOptions.builder(),
        LiveSetOptions.builder(
            (directory, descriptor) -> {
              throw new IOException("nothing is opened here");
            }));
  }

  @ParameterizedTest
  @MethodSource("builders")
  void nullIsRefusedByNameWhereItMeansNothing(Object builder) {
    List<Method> setters =
        Stream.of(builder.getClass().getDeclaredMethods())
            .filter(method -> method.getReturnType() == builder.getClass())
            .filter(method -> method.getParameterCount() == 1)
            .filter(method -> !method.getParameterTypes()[0].isPrimitive())
            .filter(
                method ->
                    !method.getAnnotatedParameterTypes()[0].isAnnotationPresent(Nullable.class))
            .toList();

    assertThat(setters).isNotEmpty();
    for (Method setter : setters) {
      assertThatThrownBy(() -> setter.invoke(builder, new Object[] {null}))
          .as("%s", setter)
          .isInstanceOf(InvocationTargetException.class)
          .cause()
          .isInstanceOf(NullPointerException.class)
          .hasMessage(setter.getName());
    }
  }

  @Test
  void whatABuilderBeginsWithIsAllThatTheOptionsHad() {
    CommitLogOptions log =
        CommitLogOptions.builder()
            .syncMode(SyncMode.BATCH)
            .period(Duration.ofSeconds(1))
            .groupWindow(Duration.ofMillis(1))
            .segmentBytes(1 << 20)
            .maxMutationBytes(1 << 19)
            .bufferBytes(1 << 16)
            .totalSpaceBytes(1 << 22)
            .archive(new MemoryDirectory())
            .build();
    CommitLogPosition position = new CommitLogPosition(1, 2);
    SSTableWriterOptions tables =
        SSTableWriterOptions.builder()
            .compression(CompressionOptions.NONE)
            .bloomFilterFpChance(0.5)
            .minIndexInterval(7)
            .columnIndexSizeBytes(4096)
            .expectedPartitions(3)
            .level(2)
            .repair(new RepairState(5, Optional.empty(), true))
            .originatingHostId(new UUID(1, 2))
            .commitLogIntervals(
                new CommitLogIntervals(
                    List.of(new CommitLogIntervals.Interval(position, position))))
            .intent(WriteIntent.COMPACTION)
            .executors(new PipelineExecutors(Runnable::run, Runnable::run))
            .build();

    assertThat(log.toBuilder().build()).usingRecursiveComparison().isEqualTo(log);
    assertThat(tables.toBuilder().build()).usingRecursiveComparison().isEqualTo(tables);
  }
}
