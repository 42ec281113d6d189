package com.example.docs;

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
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The public types of Siltstone's modules, in packages that are exported to all modules. */
final class PublicTypes {
  private static final List<Class<?>> MODULES =
      List.of(
          Directory.class,
          Database.class,
          CompactionService.class,
          DatabaseBeans.class,
          DatabaseMetrics.class);

  private PublicTypes() {}

  /** Returns the public types and their public member types. */
  static Set<Class<?>> all() throws IOException, URISyntaxException {
    Set<Class<?>> types = new LinkedHashSet<>();
    for (Class<?> one : MODULES) {
      Path place = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
      ModuleReference module = ModuleFinder.of(place).findAll().stream().findFirst().orElseThrow();
      Set<String> packages = exported(module.descriptor());
      try (ModuleReader reader = module.open();
          Stream<String> resources = reader.list()) {
        resources
            .filter(name -> name.endsWith(".class") && name.contains("/"))
            .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
            .filter(name -> packages.contains(name.substring(0, name.lastIndexOf('.'))))
            .map(PublicTypes::load)
            .filter(PublicTypes::isShown)
            .forEach(types::add);
      }
    }
    return types;
  }

  private static Set<String> exported(ModuleDescriptor module) {
    return module.exports().stream()
        .filter(exports -> !exports.isQualified())
        .map(ModuleDescriptor.Exports::source)
        .collect(Collectors.toSet());
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, PublicTypes.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns whether a type and the types around it are public. */
  private static boolean isShown(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    return Modifier.isPublic(type.getModifiers()) && (outer == null || isShown(outer));
  }
}
