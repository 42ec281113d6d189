package io.siltstone.schema;

import io.siltstone.type.CqlName;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;
import io.siltstone.type.UserType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The user types of one table: those given, and those found in its columns. A given one keeps the
 * information which of its fields were frozen at its creation, which the types of columns no longer
 * have.
 */
final class UserTypes {
  private final String keyspace;
  private final Map<String, UserType> given = new TreeMap<>(Names.BY_BYTES);
  private final Map<String, UserType> used = new TreeMap<>(Names.BY_BYTES);

  UserTypes(String keyspace, List<UserType> given) {
    this.keyspace = keyspace;
    for (UserType type : given) {
      this.given.put(type.name(), definition(type));
    }
  }

  private static UserType definition(UserType type) {
    return type.isMultiCell()
        ? type
        : CqlTypes.userType(type.keyspace(), type.name(), type.fields());
  }

  /** Adds all user types within a type. */
  void addWithin(CqlType type) {
    if (type.kind() == TypeKind.USER && type instanceof UserType user) {
      add(user);
    } else {
      type.elementTypes().forEach(this::addWithin);
    }
  }

  private void add(UserType found) {
    if (!found.keyspace().equals(keyspace)) {
      throw new SchemaException(
          "Statement on keyspace "
              + keyspace
              + " cannot refer to a user type in keyspace "
              + found.keyspace()
              + "; user types can only be used in the keyspace they are defined in");
    }
    UserType known = used.get(found.name());
    if (known == null) {
      known = given.getOrDefault(found.name(), definition(found));
      String problem = Names.problem("user type name", known.name());
      if (problem != null) {
        throw new SchemaException(problem);
      }
      used.put(known.name(), known);
      // The definition has the same fields as the type that was found, frozen or not.
      known.elementTypes().forEach(this::addWithin);
    }
    if (!known.frozen().equals(found.frozen())) {
      throw new SchemaException(
          "user type " + CqlName.quoted(found.name()) + " is used with two definitions");
    }
  }

  /** Returns the used types: each after those that it uses, otherwise by name. */
  List<UserType> inOrder() {
    Map<String, UserType> ordered = new LinkedHashMap<>();
    used.values().forEach(type -> put(type, ordered));
    return new ArrayList<>(ordered.values());
  }

  private void put(UserType type, Map<String, UserType> ordered) {
    if (!ordered.containsKey(type.name())) {
      type.elementTypes().forEach(part -> putWithin(part, ordered));
      ordered.put(type.name(), type);
    }
  }

  private void putWithin(CqlType type, Map<String, UserType> ordered) {
    UserType known = type instanceof UserType user ? used.get(user.name()) : null;
    if (known != null) {
      put(known, ordered);
    } else {
      type.elementTypes().forEach(part -> putWithin(part, ordered));
    }
  }
}
