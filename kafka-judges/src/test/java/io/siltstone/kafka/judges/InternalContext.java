package io.siltstone.kafka.judges;

import io.siltstone.kafka.streams.StoreContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;

/**
 * The context of a store as Kafka's own stores want it, which use more than the public interface
 * has: a {@link StoreContext}, and a clock that stands still.
 */
final class InternalContext {
  private InternalContext() {}

  static StateStoreContext of(StoreContext context) {
    return (StateStoreContext)
        Proxy.newProxyInstance(
            InternalContext.class.getClassLoader(),
            new Class<?>[] {InternalProcessorContext.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("currentSystemTimeMs")) {
                return 0L;
              }
              try {
                return StoreContext.class
                    .getMethod(method.getName(), method.getParameterTypes())
                    .invoke(context, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
