package com.example.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The public types are those of docs/public-types.txt. A type that is added to an exported package
 * is a promise: if it is wanted, add its line; else make it package-private, or put it into a
 * package that is exported to Siltstone's modules only.
 */
class PublicTypesTest {
  private static final Path LIST = Path.of("../../../docs/public-types.txt");
  private static final int MOST = 130;

  @Test
  void publicTypesAreThoseOfTheList() throws Exception {
    Set<String> types =
        PublicTypes.all().stream()
            .filter(type -> type.getEnclosingClass() == null)
            .map(Class::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    List<String> listed = Files.readAllLines(LIST);
    assertEquals(String.join("\n", types), String.join("\n", listed));
    assertTrue(types.size() <= MOST, types.size() + " public types, allowed " + MOST);
  }
}
