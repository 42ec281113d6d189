package io.siltstone.testkit;

import java.lang.reflect.RecordComponent;

/** Copies records with one component changed, to make inconsistent values for tests. */
public final class Records {
  private Records() {}

  /**
   * Returns a copy with one component changed.
   *
   * @param component its name
   * @throws IllegalArgumentException if the record has no component with that name
   */
  public static <T extends Record> T with(T of, String component, Object value) {
    @SuppressWarnings("unchecked")
    Class<T> type = (Class<T>) of.getClass();
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    boolean isThere = false;
    try {
      for (int i = 0; i < components.length; i++) {
        boolean isChanged = components[i].getName().equals(component);
        isThere |= isChanged;
        types[i] = components[i].getType();
        values[i] = isChanged ? value : components[i].getAccessor().invoke(of);
      }
      if (!isThere) {
        throw new IllegalArgumentException(type + " has no component " + component);
      }
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
