package io.siltstone.testkit;

import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/** Copies records with one component changed, to make inconsistent values for tests. */
public final class Records {
  private Records() {}

  /**
   * Returns a copy with one component changed, of the record or of a record within it.
   *
   * @param component its name
   * @throws IllegalArgumentException if no record has a component with that name
   */
  public static <T extends Record> T with(T of, String component, Object value) {
    T changed = changed(of, component, value);
    if (changed == null) {
      throw new IllegalArgumentException(of.getClass() + " has no component " + component);
    }
    return changed;
  }

  /** Returns the copy; null if there is no such component. */
  private static <T extends Record> @Nullable T changed(T of, String component, Object value) {
    @SuppressWarnings("unchecked")
    Class<T> type = (Class<T>) of.getClass();
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    boolean isThere = false;
    try {
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        values[i] = components[i].getAccessor().invoke(of);
        if (components[i].getName().equals(component)) {
          values[i] = value;
          isThere = true;
        } else if (values[i] instanceof Record within) {
          Record other = changed(within, component, value);
          values[i] = other == null ? within : other;
          isThere |= other != null;
        }
      }
      return isThere ? type.getDeclaredConstructor(types).newInstance(values) : null;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
