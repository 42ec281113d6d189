package io.siltstone.kafka.judges.suites;

import io.siltstone.kafka.streams.SiltstoneDslStoreSuppliers;
import io.siltstone.kafka.streams.SiltstoneStores;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.kafka.streams.state.BuiltInDslStoreSuppliers.RocksDBDslStoreSuppliers;
import org.apache.kafka.streams.state.DslStoreSuppliers;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.mockito.MockedConstruction;
import org.mockito.MockedStatic;
import org.mockito.Mockito;
import org.mockito.invocation.InvocationOnMock;

/**
 * Replaces Kafka's persistent stores by Siltstone's while one of Kafka's own tests runs: wherever
 * it calls {@code Stores.persistent…}, or Kafka makes the stores of the DSL by default, it gets a
 * supplier of Siltstone. Surefire runs the suites of Kafka's test jar that its configuration names,
 * with this extension for each of them.
 */
public final class StoresOfKafkasTests implements BeforeEachCallback, AfterEachCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(StoresOfKafkasTests.class);
  private static final DslStoreSuppliers SUPPLIERS = new SiltstoneDslStoreSuppliers();

  /** What is replaced for a test. */
  private record Replaced(
      MockedStatic<Stores> stores, MockedConstruction<RocksDBDslStoreSuppliers> suppliers) {
    static Replaced begin() {
      return new Replaced(
          Mockito.mockStatic(Stores.class, Replaced::ofStores),
          Mockito.mockConstruction(
              RocksDBDslStoreSuppliers.class,
              Mockito.withSettings().defaultAnswer(Replaced::ofSuppliers)));
    }

    private static @Nullable Object ofStores(InvocationOnMock call) throws Throwable {
      Method called = call.getMethod();
      return called.getName().startsWith("persistent")
          ? invoke(
              SiltstoneStores.class.getMethod(called.getName(), called.getParameterTypes()),
              null,
              call.getArguments())
          : call.callRealMethod();
    }

    private static @Nullable Object ofSuppliers(InvocationOnMock call) throws Throwable {
      Method called = call.getMethod();
      return called.getDeclaringClass().isAssignableFrom(RocksDBDslStoreSuppliers.class)
              && called.getDeclaringClass() != Object.class
          ? invoke(
              DslStoreSuppliers.class.getMethod(called.getName(), called.getParameterTypes()),
              SUPPLIERS,
              call.getArguments())
          : call.callRealMethod();
    }

    private static @Nullable Object invoke(
        Method method, @Nullable Object target, Object[] arguments) throws Throwable {
      try {
        return method.invoke(target, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }

    void end() {
      suppliers.close();
      stores.close();
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    context.getStore(NAMESPACE).put(Replaced.class, Replaced.begin());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    context.getStore(NAMESPACE).remove(Replaced.class, Replaced.class).end();
  }
}
