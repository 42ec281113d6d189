package io.siltstone.compaction;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
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

/** Checks the dependencies between packages, as {@code docs/architecture.md} states them. */
class ArchitectureTest {
  private static final String ENGINE = "io.siltstone";
  private static final String ROOT = "io.siltstone.compaction";

  /** The packages of this module that each package may use. */
  private static final Map<String, Set<String>> ALLOWED =
      Map.of(
          "", Set.of(".report", ".strategy", ".task", ".throttle"),
          ".report", Set.of(),
          ".strategy", Set.of(),
          ".task", Set.of(".report", ".strategy"),
          ".throttle", Set.of(),
          ".simulate", Set.of(".strategy"));

  /** The packages of the engine that each package may use. */
  private static final Map<String, Set<String>> ALLOWED_OF_ENGINE =
      Map.of(
          "",
              Set.of(
                  "annotation",
                  "spi",
                  "event",
                  "schema",
                  "sstable",
                  "sstable.format",
                  "maintenance",
                  "partitioner",
                  "chunk",
                  "compress",
                  "files",
                  "io",
                  "text",
                  "threads"),
          ".report", Set.of("sstable.format"),
          ".strategy",
              Set.of(
                  "spi",
                  "schema",
                  "sstable.format",
                  "sstable.metadata",
                  "cursor",
                  "partitioner",
                  "text"),
          ".task",
              Set.of(
                  "spi",
                  "schema",
                  "cursor",
                  "sstable",
                  "sstable.data",
                  "sstable.format",
                  "sstable.index",
                  "sstable.metadata",
                  "maintenance",
                  "files",
                  "chunk",
                  "text",
                  "io",
                  "memory",
                  "threads",
                  "partitioner",
                  "type",
                  "bytes"),
          ".throttle", Set.of("files"),
          ".simulate",
              Set.of(
                  "spi",
                  "schema",
                  "sstable.format",
                  "sstable.metadata",
                  "cursor",
                  "compress",
                  "partitioner"));

  /** The type by which users choose the service. It uses no other type of the root package. */
  private static final String CHOICE = "io.siltstone.Compaction";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void packagesUseOnlyWhatTheyMay() {
    TreeSet<String> wrong = new TreeSet<>();
    for (JavaClass from : CLASSES) {
      String name = from.getPackageName().substring(ROOT.length());
      assertThat(ALLOWED).as("package %s is in the table", name).containsKey(name);
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        String to = dependency.getTargetClass().getPackageName();
        if (!to.startsWith(ENGINE)
            || to.equals(from.getPackageName())
            || dependency.getTargetClass().getName().equals(CHOICE)) {
          continue;
        }
        boolean isAllowed =
            to.startsWith(ROOT)
                ? ALLOWED.getOrDefault(name, Set.of()).contains(to.substring(ROOT.length()))
                : to.length() > ENGINE.length()
                    && ALLOWED_OF_ENGINE
                        .getOrDefault(name, Set.of())
                        .contains(to.substring(ENGINE.length() + 1));
        if (!isAllowed) {
          wrong.add(dependency.getDescription());
        }
      }
    }
    assertThat(wrong).isEmpty();
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
      noClasses().should().dependOnClassesThat().haveFullyQualifiedName(door).check(CLASSES);
    }
  }
}
