package com.example.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.siltstone.annotation.Expert;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The signatures of public types name public types only: a user on the module path can declare a
 * variable for each parameter and result. What is marked {@link Expert} is left out, and so are
 * supertypes, which a user need not name.
 */
class PublicSignaturesTest {
  private final TreeSet<String> faults = new TreeSet<>();
  private final Set<Class<?>> types;

  PublicSignaturesTest() throws Exception {
    types = PublicTypes.all();
  }

  @Test
  void signaturesOfPublicTypesNamePublicTypesOnly() {
    for (Class<?> type : types) {
      if (isExpert(type)) {
        continue;
      }
      for (Method each : type.getDeclaredMethods()) {
        if (isShown(each, each.getModifiers()) && !each.isSynthetic()) {
          check(each.toString(), each.getGenericReturnType());
          check(each.toString(), each.getGenericParameterTypes());
          check(each.toString(), each.getGenericExceptionTypes());
        }
      }
      for (Constructor<?> each : type.getDeclaredConstructors()) {
        if (isShown(each, each.getModifiers()) && !each.isSynthetic()) {
          check(each.toString(), each.getGenericParameterTypes());
        }
      }
      for (Field each : type.getDeclaredFields()) {
        if (isShown(each, each.getModifiers())) {
          check(each.toString(), each.getGenericType());
        }
      }
    }
    assertEquals("", String.join("\n", faults));
  }

  private static boolean isShown(AnnotatedElement of, int modifiers) {
    return (Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers)) && !isExpert(of);
  }

  private static boolean isExpert(AnnotatedElement of) {
    if (of.isAnnotationPresent(Expert.class)) {
      return true;
    }
    Class<?> outer = of instanceof Class<?> type ? type.getEnclosingClass() : null;
    return outer != null && isExpert(outer);
  }

  private void check(String where, Type[] types) {
    Stream.of(types).forEach(each -> check(where, each));
  }

  private void check(String where, Type type) {
    if (type instanceof Class<?> plain) {
      Class<?> element = plain;
      while (element.isArray()) {
        element = element.getComponentType();
      }
      if (element.getName().startsWith("io.siltstone.") && !types.contains(element)) {
        faults.add(element.getName() + " in " + where);
      }
    } else if (type instanceof ParameterizedType generic) {
      check(where, generic.getRawType());
      check(where, generic.getActualTypeArguments());
    } else if (type instanceof GenericArrayType array) {
      check(where, array.getGenericComponentType());
    } else if (type instanceof WildcardType wildcard) {
      check(where, wildcard.getUpperBounds());
      check(where, wildcard.getLowerBounds());
    }
  }

  /** A method of a public type whose parameters cannot be named would be found. */
  @Test
  void aTypeThatIsNotExportedIsFound() throws Exception {
    check("here", Class.forName("io.siltstone.spi.LiveTables"));
    check("here", List.class);
    assertEquals(Set.of("io.siltstone.spi.LiveTables in here"), faults);
  }
}
