package io.siltstone.testkit;

import java.lang.reflect.RecordComponent;

/** Copies of records that differ in one component: to say something that is not so. */
public final class Records {
  private Records() {}

  /**
   * A copy but for one component.
   *
   * @param component its name
   * @throws IllegalArgumentException if the record has none of that name
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
