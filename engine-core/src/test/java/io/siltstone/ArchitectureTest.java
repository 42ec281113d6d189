package io.siltstone;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The arrows between packages, as {@code docs/architecture.md} draws them. */
class ArchitectureTest {
  private static final String ROOT = "io.siltstone";

  /** What the root package is called here: the facade. */
  private static final String FACADE = "";

  /** What each package may use, beside itself and what is no part of the engine. */
  private static final Map<String, Set<String>> ALLOWED =
      Map.ofEntries(
          // engine-compress
          Map.entry("annotation", Set.of()),
          Map.entry("text", Set.of()),
          Map.entry("io", Set.of("memory", "text", "offheap", "threads")),
          Map.entry("memory", Set.of()),
          Map.entry("offheap", Set.of("memory", "threads")),
          Map.entry("threads", Set.of()),
          Map.entry("compress", Set.of("memory")),
          Map.entry("files", Set.of("io")),
          Map.entry(
              "chunk", Set.of("compress", "files", "io", "memory", "threads", "offheap", "text")),
          // engine-core
          Map.entry("bytes", Set.of()),
          Map.entry("clock", Set.of("bytes", "type")),
          Map.entry("type", Set.of("bytes", "text")),
          Map.entry("type.comparable", Set.of("type", "bytes")),
          Map.entry("partitioner", Set.of("bytes")),
          Map.entry("ring", Set.of()),
          Map.entry("schema", Set.of("type", "compress", "text")),
          Map.entry("cursor", Set.of("type", "bytes", "schema", "partitioner", "threads", "text")),
          Map.entry(
              "catalog",
              Set.of("event", "schema", "partitioner", "io", "sstable.format", "files", "threads")),
          Map.entry("rows", Set.of("cursor", "schema", "type", "bytes", "partitioner", "text")),
          Map.entry("commitlog", Set.of("io", "text")),
          Map.entry("backup", Set.of("io", "files", "text", "threads")),
          Map.entry(
              "commitlog.segment",
              Set.of(
                  "commitlog",
                  "files",
                  "io",
                  "memory",
                  "threads",
                  "bytes",
                  "sstable.metadata",
                  "offheap",
                  "text")),
          Map.entry(
              "memtable",
              Set.of(
                  "statistics",
                  "cursor",
                  "type",
                  "bytes",
                  "schema",
                  "partitioner",
                  "memory",
                  "offheap",
                  "threads")),
          Map.entry("jfr", Set.of()),
          Map.entry("statistics", Set.of()),
          Map.entry("cache", Set.of("statistics", "chunk", "memory", "jfr", "offheap")),
          Map.entry(
              "mutation",
              Set.of(
                  "rows",
                  "cursor",
                  "schema",
                  "type",
                  "bytes",
                  "partitioner",
                  "text",
                  "clock",
                  "threads")),
          Map.entry("sstable.format", Set.of("io", "text")),
          Map.entry("sstable.filter", Set.of("bytes", "io", "memory", "offheap")),
          Map.entry(
              "sstable.metadata",
              Set.of("sstable.format", "cursor", "type", "bytes", "io", "partitioner", "text")),
          Map.entry(
              "sstable.data",
              Set.of("sstable.format", "cursor", "type", "bytes", "chunk", "io", "partitioner")),
          Map.entry(
              "sstable.index",
              Set.of(
                  "sstable.format",
                  "sstable.data",
                  "sstable.filter",
                  "cache",
                  "cursor",
                  "io",
                  "partitioner")),
          Map.entry(
              "sstable.big",
              Set.of(
                  "sstable.format",
                  "sstable.data",
                  "sstable.filter",
                  "sstable.index",
                  "cache",
                  "cursor",
                  "bytes",
                  "io",
                  "memory",
                  "partitioner",
                  "offheap")),
          Map.entry(
              "sstable.trie",
              Set.of("sstable.format", "sstable.data", "type.comparable", "bytes", "io")),
          Map.entry(
              "sstable.bti",
              Set.of(
                  "sstable.format",
                  "sstable.data",
                  "sstable.filter",
                  "sstable.index",
                  "cache",
                  "sstable.trie",
                  "type.comparable",
                  "type",
                  "cursor",
                  "bytes",
                  "io",
                  "partitioner")),
          Map.entry(
              "sstable.check",
              Set.of(
                  "sstable.format",
                  "sstable.filter",
                  "sstable.metadata",
                  "cursor",
                  "type",
                  "type.comparable",
                  "threads",
                  "bytes",
                  "chunk",
                  "io",
                  "partitioner",
                  "text")),
          Map.entry(
              "sstable",
              Set.of(
                  "sstable.format",
                  "sstable.check",
                  "sstable.filter",
                  "sstable.metadata",
                  "sstable.data",
                  "sstable.index",
                  "sstable.big",
                  "sstable.bti",
                  "cache",
                  "cursor",
                  "type",
                  "type.comparable",
                  "chunk",
                  "compress",
                  "files",
                  "io",
                  "memory",
                  "partitioner",
                  "bytes",
                  "maintenance",
                  "offheap",
                  "threads",
                  "text")),
          Map.entry("event", Set.of("schema", "sstable.format")),
          Map.entry("maintenance", Set.of("event", "partitioner", "sstable.format")),
          Map.entry("history", Set.of("event", "schema", "io", "files", "maintenance", "text")),
          Map.entry(
              "spi",
              Set.of(
                  "event",
                  "sstable",
                  "sstable.format",
                  "sstable.metadata",
                  "cursor",
                  "schema",
                  "partitioner",
                  "chunk",
                  "compress",
                  "maintenance")),
          Map.entry(
              "liveset",
              Set.of(
                  "statistics",
                  "spi",
                  "event",
                  "sstable",
                  "sstable.format",
                  "sstable.metadata",
                  "cursor",
                  "schema",
                  "type",
                  "partitioner",
                  "chunk",
                  "compress",
                  "io",
                  "memory",
                  "text",
                  "bytes",
                  "files",
                  "maintenance",
                  "offheap",
                  "threads")),
          Map.entry(
              "bulk",
              Set.of(
                  "bytes",
                  "catalog",
                  "clock",
                  "compress",
                  "cursor",
                  "files",
                  "io",
                  "liveset",
                  "maintenance",
                  "offheap",
                  "partitioner",
                  "schema",
                  "spi",
                  "sstable",
                  "sstable.format",
                  "threads",
                  "type")),
          Map.entry(
              "explain.walk",
              Set.of("explain", "bytes", "cursor", "io", "schema", "sstable.format", "type")),
          Map.entry(
              "explain",
              Set.of(
                  "sstable",
                  "sstable.format",
                  "sstable.data",
                  "cursor",
                  "schema",
                  "type",
                  "bytes",
                  "chunk",
                  "io")),
          Map.entry(
              "table.read",
              Set.of(
                  "statistics",
                  "explain",
                  "rows",
                  "liveset",
                  "event",
                  "memtable",
                  "sstable",
                  "sstable.format",
                  "sstable.index",
                  "sstable.metadata",
                  "cursor",
                  "schema",
                  "partitioner",
                  "type",
                  "chunk",
                  "io",
                  "threads",
                  "bytes",
                  "explain.walk")),
          Map.entry(
              "table",
              Set.of(
                  "backup",
                  "jfr",
                  "table.read",
                  "statistics",
                  "explain",
                  "catalog",
                  "commitlog",
                  "mutation",
                  "rows",
                  "liveset",
                  "spi",
                  "event",
                  "memtable",
                  "cache",
                  "sstable",
                  "sstable.format",
                  "sstable.metadata",
                  "cursor",
                  "schema",
                  "partitioner",
                  "type",
                  "bytes",
                  "chunk",
                  "compress",
                  "io",
                  "memory",
                  "threads",
                  "clock",
                  "commitlog.segment",
                  "files",
                  "maintenance",
                  "offheap")),
          Map.entry(
              "keyvalue",
              Set.of(
                  "table",
                  "table.read",
                  "commitlog",
                  "mutation",
                  "rows",
                  "cursor",
                  "schema",
                  "partitioner",
                  "type",
                  "threads",
                  "clock",
                  "commitlog.segment")),
          Map.entry(
              FACADE,
              Set.of(
                  "backup",
                  "bulk",
                  "jfr",
                  "sstable.metadata",
                  "statistics",
                  "explain",
                  "keyvalue",
                  "table",
                  "table.read",
                  "catalog",
                  "commitlog",
                  "mutation",
                  "rows",
                  "liveset",
                  "spi",
                  "event",
                  "history",
                  "cache",
                  "sstable",
                  "sstable.format",
                  "cursor",
                  "schema",
                  "partitioner",
                  "compress",
                  "io",
                  "memory",
                  "text",
                  "threads",
                  "clock",
                  "commitlog.segment",
                  "files",
                  "maintenance",
                  "offheap")));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.siltstone");

  @Test
  void packagesUseOnlyWhatTheyMay() {
    TreeSet<String> wrong = new TreeSet<>();
    for (JavaClass from : CLASSES) {
      String name = name(from);
      if (name.startsWith("testkit")) {
        continue;
      }
      assertThat(ALLOWED).as("package %s is in the table", name).containsKey(name);
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        if (!dependency.getTargetClass().getPackageName().startsWith(ROOT)) {
          continue;
        }
        String to = name(dependency.getTargetClass());
        if (to.equals("annotation")) {
          continue;
        }
        if (!to.equals(name) && !ALLOWED.getOrDefault(name, Set.of()).contains(to)) {
          wrong.add(name + " -> " + to + ": " + dependency.getDescription());
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static String name(JavaClass of) {
    String name = of.getPackageName().substring(ROOT.length());
    return name.isEmpty() ? FACADE : name.substring(1);
  }

  @Test
  void packagesAreFreeOfCycles() {
    slices().matching("io.siltstone.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void onlyTheFileSeamOpensFiles() {
    for (String door :
        Set.of(
            "java.nio.channels.FileChannel",
            "java.nio.file.Files",
            "java.io.RandomAccessFile",
            "java.io.File",
            "java.io.FileInputStream",
            "java.io.FileOutputStream")) {
      noClasses()
          .that()
          .resideOutsideOfPackages("io.siltstone.io..", "io.siltstone.testkit..")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName(door)
          .check(CLASSES);
    }
  }
}
