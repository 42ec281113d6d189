package com.example.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.siltstone.Database;
import io.siltstone.compaction.CompactionService;
import io.siltstone.io.Directory;
import io.siltstone.jmx.DatabaseBeans;
import io.siltstone.micrometer.DatabaseMetrics;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The public types are those of docs/public-types.txt. A type that is added to an exported package
 * is a promise: if it is wanted, add its line; else make it package-private, or put it into a
 * package that is exported to Siltstone's modules only.
 */
class PublicTypesTest {
  private static final Path LIST = Path.of("../../../docs/public-types.txt");
  private static final int MOST = 130;

  private static final List<Class<?>> MODULES =
      List.of(
          Directory.class,
          Database.class,
          CompactionService.class,
          DatabaseBeans.class,
          DatabaseMetrics.class);

  @Test
  void publicTypesAreThoseOfTheList() throws Exception {
    TreeSet<String> types = new TreeSet<>();
    for (Class<?> one : MODULES) {
      types.addAll(publicTypes(one));
    }
    List<String> listed = Files.readAllLines(LIST);
    assertEquals(String.join("\n", types), String.join("\n", listed));
    assertTrue(types.size() <= MOST, types.size() + " public types, allowed " + MOST);
  }

  private static Set<String> publicTypes(Class<?> ofModule) throws Exception {
    ModuleReference module =
        ModuleFinder.of(place(ofModule)).findAll().stream().findFirst().orElseThrow();
    Set<String> packages =
        module.descriptor().exports().stream()
            .filter(exports -> !exports.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toSet());
    try (ModuleReader reader = module.open();
        Stream<String> resources = reader.list()) {
      return resources
          .filter(name -> name.endsWith(".class") && !name.contains("$"))
          .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
          .filter(name -> packages.contains(packageOf(name)) && isPublic(name))
          .collect(Collectors.toSet());
    }
  }

  private static String packageOf(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('.')));
  }

  private static boolean isPublic(String name) {
    try {
      ClassLoader loader = PublicTypesTest.class.getClassLoader();
      return Modifier.isPublic(Class.forName(name, false, loader).getModifiers());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the jar or directory that a class was loaded from. */
  private static Path place(Class<?> type) throws IOException, URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
