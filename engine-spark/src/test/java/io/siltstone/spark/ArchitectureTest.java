package io.siltstone.spark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Checks the dependencies between packages, as {@code docs/architecture.md} states them. */
final class ArchitectureTest {
  private static final String ROOT = "io.siltstone.spark";

  /** The packages of this module that each package may use; there is no cycle. */
  private static final Map<String, Set<String>> ALLOWED =
      Map.of(
          "", Set.of(".catalog", ".files", ".table", ".token", ".types", ".read", ".write"),
          ".files", Set.of(),
          ".types", Set.of(),
          ".token", Set.of(".types"),
          ".table", Set.of(".files", ".token", ".types"),
          ".catalog", Set.of(".files", ".table"),
          ".read", Set.of(".files", ".table", ".token", ".types"),
          ".write", Set.of(".files", ".table", ".types"));

  /** The machinery of the engine that is used beside its public packages. */
  private static final Set<String> MACHINERY =
      Set.of(
          "io.siltstone.catalog",
          "io.siltstone.cursor",
          "io.siltstone.files",
          "io.siltstone.liveset",
          "io.siltstone.ring",
          "io.siltstone.spi",
          "io.siltstone.sstable.metadata");

  private static final Set<String> PUBLIC =
      Set.of(
          "io.siltstone",
          "io.siltstone.compress",
          "io.siltstone.io",
          "io.siltstone.maintenance",
          "io.siltstone.mutation",
          "io.siltstone.partitioner",
          "io.siltstone.rows",
          "io.siltstone.schema",
          "io.siltstone.sstable.format",
          "io.siltstone.type");

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
        boolean isOwn = to.startsWith(ROOT);
        if (isOwn
            && !to.equals(from.getPackageName())
            && !ALLOWED.get(name).contains(to.substring(ROOT.length()))) {
          wrong.add(dependency.getDescription());
        }
        if (!isOwn
            && to.startsWith("io.siltstone")
            && !PUBLIC.contains(to)
            && !MACHINERY.contains(to)) {
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
            "java.io.FileInputStream",
            "java.io.FileOutputStream")) {
      noClasses().should().dependOnClassesThat().haveFullyQualifiedName(door).check(CLASSES);
    }
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".files")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.hadoop.fs..")
        .check(CLASSES);
  }

  /** A type that is added is a promise: if it is wanted, add it here and to docs/api.md. */
  @Test
  void publicTypesAreThoseThatUsersNeed() {
    assertThat(
            CLASSES.stream()
                .filter(each -> each.getPackageName().equals(ROOT))
                .filter(each -> each.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(JavaClass::isTopLevelClass)
                .map(JavaClass::getSimpleName))
        .containsExactlyInAnyOrder("SSTableSource", "SiltstoneCatalog");
  }
}
