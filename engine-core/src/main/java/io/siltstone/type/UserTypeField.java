package io.siltstone.type;

import java.util.Objects;

/**
 * A field of a user type.
 *
 * @param name without quotes
 * @param type of the field's values
 */
public record UserTypeField(String name, CqlType type) {
  /** Checks that neither component is missing. */
  public UserTypeField {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
  }

  /** Returns the name as CQL writes it: between quotes if it would otherwise be read as another. */
  public String cqlName() {
    return CqlName.quoted(name);
  }
}
