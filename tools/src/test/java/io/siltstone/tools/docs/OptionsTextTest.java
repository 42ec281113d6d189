package io.siltstone.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.DatabaseOptions;
import io.siltstone.SharedResources;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.event.EngineListener;
import io.siltstone.io.DiskAccessMode;
import io.siltstone.io.EncryptedDirectory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.NioOptions;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableOptions;
import io.siltstone.sstable.format.FormatVersion;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The text of options is one line of those that differ from the defaults, without secrets. */
class OptionsTextTest {
  private static final byte[] KEY =
      "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  @AutoClose private static final SharedResources SHARED = SharedResources.builder().build();

  /** Texts by options; of each public type those at their defaults, and others. */
  private static final Map<Object, String> TEXTS =
      Map.ofEntries(
          Map.entry(DatabaseOptions.DEFAULT, "DatabaseOptions[]"),
          Map.entry(
              DatabaseOptions.builder()
                  .memtableBytes(1 << 20)
                  .compactionDebtBytes(5, 6)
                  .files(NioOptions.DEFAULT.withDirectIo(true, false))
                  .commitLog(CommitLogOptions.builder().syncMode(SyncMode.BATCH).build())
                  .build(),
              "DatabaseOptions[files=NioOptions[directReads=true], memtableBytes=1048576,"
                  + " softCompactionDebtBytes=5, hardCompactionDebtBytes=6,"
                  + " commitLog=CommitLogOptions[syncMode=BATCH]]"),
          Map.entry(CommitLogOptions.builder().build(), "CommitLogOptions[]"),
          Map.entry(
              CommitLogOptions.builder().period(Duration.ofSeconds(1)).build(),
              "CommitLogOptions[period=PT1S]"),
          Map.entry(CompactionOptions.builder().build(), "CompactionOptions[]"),
          Map.entry(
              CompactionOptions.builder().bytesPerSecond(0).historySize(7).build(),
              "CompactionOptions[bytesPerSecond=0, historySize=7]"),
          Map.entry(
              CompressionOptions.DEFAULT,
              "{chunk_length_in_kb=16, class=org.apache.cassandra.io.compress.LZ4Compressor}"),
          Map.entry(NioOptions.DEFAULT, "NioOptions[]"),
          Map.entry(
              NioOptions.DEFAULT.withDiskAccessMode(DiskAccessMode.MMAP),
              "NioOptions[diskAccessMode=MMAP]"),
          Map.entry(TableOptions.DEFAULT, "TableOptions[]"),
          Map.entry(
              TableOptions.builder().gcGraceSeconds(5).comment("a comment").build(),
              "TableOptions[comment='a comment', gc_grace_seconds=5]"));

  @Test
  void isThatOfAllPublicTypes() throws Exception {
    Set<String> types =
        TEXTS.keySet().stream()
            .map(options -> options.getClass().getName())
            .collect(Collectors.toCollection(TreeSet::new));
    List<String> listed =
        Files.readAllLines(Page.ROOT.resolve("docs/public-types.txt")).stream()
            .filter(name -> name.endsWith("Options"))
            .toList();
    assertThat(types).containsExactlyElementsOf(listed);
  }

  @Test
  void isOneLineOfWhatDiffersFromTheDefaults() {
    TEXTS.forEach((options, text) -> assertThat(options).hasToString(text));
  }

  /** A value of each type that is the default of no option. */
  private static final List<Object> VALUES =
      List.of(
          true,
          false,
          Duration.ofMillis(77),
          Partitioner.BYTE_ORDERED,
          FormatVersion.NB,
          NioOptions.DEFAULT.withDiskAccessMode(DiskAccessMode.STANDARD),
          EncryptedDirectory.Keys.of("one", new SecretKeySpec(KEY, "AES")),
          CommitLogOptions.builder().syncMode(SyncMode.GROUP).build(),
          Compaction.none(),
          new EngineListener() {},
          InstantSource.fixed(Instant.EPOCH),
          new MemoryDirectory(),
          SHARED);

  @Test
  void hasEveryOptionThatBuildersHave() throws Exception {
    for (Class<?> type :
        List.of(DatabaseOptions.class, CommitLogOptions.class, CompactionOptions.class)) {
      int options = 0;
      for (Method setter : Class.forName(type.getName() + "$Builder").getMethods()) {
        if (setter.getReturnType() == setter.getDeclaringClass()
            && setter.getParameterCount() == 1) {
          assertThat(changed(type, setter)).as("%s", setter).isTrue();
          options++;
        }
      }
      assertThat(options).isGreaterThan(6);
    }
  }

  /** Returns whether the text has the option once it has another value than its default. */
  private static boolean changed(Class<?> type, Method setter) throws Exception {
    String wanted = "[" + setter.getName() + "=";
    for (Object value : values(setter.getParameterTypes()[0])) {
      Object builder = type.getMethod("builder").invoke(null);
      try {
        setter.invoke(builder, value);
        String text = builder.getClass().getMethod("build").invoke(builder).toString();
        if (text.contains(wanted)) {
          assertThat(text).hasLineCount(1).doesNotContain(secrets());
          return true;
        }
      } catch (InvocationTargetException e) {
        // A value that is not allowed.
        assertThat(e.getCause()).isInstanceOf(IllegalArgumentException.class);
      }
    }
    return false;
  }

  private static Object[] values(Class<?> type) {
    if (type.isEnum()) {
      return type.getEnumConstants();
    }
    if (type == int.class) {
      return Stream.of(3, 2048, 5 << 20).toArray();
    }
    if (type == long.class) {
      return LongStream.of(3 << 20, 5L << 30).boxed().toArray();
    }
    return VALUES.stream()
        .filter(
            value -> type.isInstance(value) || type == boolean.class && value instanceof Boolean)
        .toArray();
  }

  private static List<String> secrets() {
    return List.of(
        new String(KEY, StandardCharsets.US_ASCII),
        HexFormat.of().formatHex(KEY),
        Arrays.toString(KEY));
  }

  @Test
  void keysAreNotShown() {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .encryptionKeys(EncryptedDirectory.Keys.of("one", new SecretKeySpec(KEY, "AES")))
            .build();
    assertThat(options.toString())
        .contains("encryptionKeys=")
        .hasLineCount(1)
        .doesNotContain(secrets());
  }
}
