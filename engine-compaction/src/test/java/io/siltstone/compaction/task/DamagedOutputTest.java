package io.siltstone.compaction.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.compaction.task.TaskOptions.Kind;
import io.siltstone.io.Directory;
import io.siltstone.io.ForwardingDirectory;
import io.siltstone.io.ForwardingWritableFile;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A task whose output was damaged while it was written commits nothing: inputs stay live, outputs
 * are deleted.
 */
class DamagedOutputTest {
  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryDirectory disk = new MemoryDirectory();
  private String damaged = "";

  /** A disk that changes one byte of a file that is written. */
  private final Directory damaging =
      new ForwardingDirectory(disk) {
        @Override
        public WritableFile create(String name, WriteIntent intent) throws IOException {
          WritableFile file = super.create(name, intent);
          return damaged.isEmpty() || !name.contains(damaged)
              ? file
              : new ForwardingWritableFile(file) {
                @Override
                public void write(ByteBuffer src) throws IOException {
                  byte[] bytes = new byte[src.remaining()];
                  src.get(bytes);
                  bytes[bytes.length / 2] ^= 1;
                  super.write(ByteBuffer.wrap(bytes));
                }
              };
        }
      };

  private static void fill(TaskTables tables) throws IOException {
    for (int table = 0; table < 2; table++) {
      int first = table;
      tables.flush(
          writes -> {
            for (int key = 0; key < 20; key++) {
              for (int row = 0; row < 4; row++) {
                int c = first + 2 * row;
                writes.at(10 + first, key, b -> b.insert(c).set("v", "value " + c));
              }
            }
          });
    }
  }

  private void assertNothingChanges(String component, Kind kind) throws IOException {
    damaged = "";
    try (TaskTables tables = TaskTables.open(damaging, leaks.memory())) {
      fill(tables);
      Set<Descriptor> before = tables.live();
      List<String> content = tables.content();
      List<String> files = disk.files();
      damaged = component;
      assertThatThrownBy(() -> tables.compact(before, tables.options(10).kind(kind).build()))
          .as("%s of %s", kind, component)
          .isInstanceOf(OutputVerificationException.class)
          .hasMessageContaining(component)
          .hasMessageContaining("not committed");
      damaged = "";
      assertThat(tables.live()).isEqualTo(before);
      assertThat(tables.content()).isEqualTo(content);
      assertThat(disk.files()).isEqualTo(files);
      tables.compact(before, tables.options(10).build());
      assertThat(tables.content()).isEqualTo(content);
      tables.compact(tables.live(), tables.options(10).build());
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aDataFileWithAWrongByteIsRefused(Kind kind) throws IOException {
    assertNothingChanges("-Data.db", kind);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aCompressionInfoWithAWrongByteIsRefused(Kind kind) throws IOException {
    assertNothingChanges("-CompressionInfo.db", kind);
  }

  @Test
  void aFlushWhoseFileHasAWrongByteIsRefused() throws IOException {
    try (TaskTables tables = TaskTables.open(damaging, leaks.memory())) {
      damaged = "-Data.db";
      assertThatThrownBy(() -> fill(tables)).hasMessageContaining("not committed");
      damaged = "";
      assertThat(tables.live()).isEmpty();
      assertThat(disk.files()).noneMatch(name -> name.contains("Data.db"));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void soundOutputsPassTheFullLevel(Kind kind) throws IOException {
    try (TaskTables tables = TaskTables.open(damaging, leaks.memory())) {
      fill(tables);
      List<String> content = tables.content();
      tables.compact(
          tables.live(),
          tables
              .options(10)
              .kind(kind)
              .resources(TestResources.verifying(OutputVerification.FULL))
              .build());
      assertThat(tables.content()).isEqualTo(content);
    }
  }
}
