package io.siltstone.campaigns;

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

/**
 * Checks the dependencies between packages: the command uses the campaigns, and these use the
 * shared packages.
 */
class ArchitectureTest {
  private static final String ROOT = "io.siltstone.campaigns";

  /** The packages of this module that each package may depend on. */
  private static final Map<String, Set<String>> ALLOWED =
      Map.of(
          "", Set.of(".damage", ".faults", ".kill", ".run", ".streams", ".threads"),
          ".damage", Set.of(".run"),
          ".faults", Set.of(".run"),
          ".kill", Set.of(".run"),
          ".run", Set.of(),
          ".streams", Set.of(".run"),
          ".threads", Set.of(".run"));

  private final JavaClasses classes =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void packagesUseOnlyWhatTheyMay() {
    TreeSet<String> wrong = new TreeSet<>();
    TreeSet<String> found = new TreeSet<>();
    for (JavaClass from : classes) {
      String name = from.getPackageName().substring(ROOT.length());
      assertThat(ALLOWED).as("package %s is in the table", name).containsKey(name);
      found.add(name);
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        String to = dependency.getTargetClass().getPackageName();
        if (to.startsWith(ROOT)
            && !to.equals(from.getPackageName())
            && !ALLOWED.getOrDefault(name, Set.of()).contains(to.substring(ROOT.length()))) {
          wrong.add(dependency.getDescription());
        }
      }
    }
    assertThat(found).isEqualTo(new TreeSet<>(ALLOWED.keySet()));
    assertThat(wrong).isEmpty();
  }
}
