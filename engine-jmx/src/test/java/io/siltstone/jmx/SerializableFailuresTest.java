package io.siltstone.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.CompactionService;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.WritableFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class SerializableFailuresTest {
  private static CorruptFileException broken() {
    return new CorruptFileException("disk", CorruptFileException.WHOLE_FILE, "it is broken");
  }

  @Test
  void aFailureOfTheJdkPassesAsItIs() {
    IOException missing = new IOException("not read", new NoSuchFileException("/file"));
    assertThatThrownBy(() -> SerializableFailures.of(() -> fail(missing))).isSameAs(missing);
    IllegalStateException closed = new IllegalStateException("it is closed");
    assertThatThrownBy(() -> SerializableFailures.of(() -> fail(closed))).isSameAs(closed);
  }

  @Test
  void ofOthersTheMessagesPass() throws Exception {
    IOException chain = new IOException("not compacted", new CompletionException(broken()));
    Throwable thrown = catchThrowable(() -> SerializableFailures.of(() -> fail(chain)));
    assertThat(thrown)
        .isExactlyInstanceOf(IOException.class)
        .hasNoCause()
        .hasMessageStartingWith("not compacted: ")
        .hasMessageContaining("disk: it is broken");
    assertIsOfTheJdk(thrown);

    IOException suppressing = new IOException("not closed");
    suppressing.addSuppressed(broken());
    assertIsOfTheJdk(catchThrowable(() -> SerializableFailures.of(() -> fail(suppressing))));

    IllegalStateException path = new IllegalStateException(broken());
    path.addSuppressed(path.getCause());
    assertIsOfTheJdk(catchThrowable(() -> SerializableFailures.of(() -> fail(path))));
  }

  @Test
  void aFigureThatCannotBeTakenSaysWhyInClassesOfTheJdk() throws Exception {
    CachedValue<String> recent =
        new CachedValue<>(
            () -> {
              throw broken();
            },
            System::nanoTime);
    Throwable thrown = catchThrowable(recent::get);
    assertThat(thrown)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("disk: it is broken");
    assertIsOfTheJdk(thrown);
  }

  @Test
  void allOperationsSayWhyInClassesOfTheJdk() throws Exception {
    AtomicBoolean isBroken = new AtomicBoolean();
    CompactionService service = new CompactionService(CompactionOptions.builder().build());
    Database database =
        Database.open(breakable(isBroken), DatabaseOptions.builder().compaction(service).build());
    Table table = database.createTable("CREATE TABLE w.readings (k int PRIMARY KEY, v int)");
    for (int i = 0; i < 2; i++) {
      table.write(table.mutation(i).insert().set("v", i).build());
      table.flush();
    }
    table.write(table.mutation(3).insert().set("v", 3).build());
    DatabaseFigures whole = new DatabaseFigures(database);
    TableFigures figures = TableFigures.of(table);
    isBroken.set(true);
    Map<String, ThrowingCallable> operations = new TreeMap<>();
    operations.put("history", whole::getCompactionHistory);
    operations.put("compact", figures::compact);
    operations.put("flush", whole::flush);
    operations.put("flush of a table", figures::flush);
    operations.put("sync", whole::sync);
    for (Map.Entry<String, ThrowingCallable> each : operations.entrySet()) {
      Throwable thrown = catchThrowable(each.getValue());
      assertThat(thrown)
          .as(each.getKey())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("it is broken");
      assertIsOfTheJdk(thrown);
    }
    var unused = catchThrowable(database::close);
  }

  private static void fail(Exception failure) throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    }
    throw (RuntimeException) failure;
  }

  /** Serializes the exception, as for a client. */
  private static void assertIsOfTheJdk(Throwable thrown) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(thrown);
    }
    Set<String> names = new HashSet<>();
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())) {
          @Override
          protected Class<?> resolveClass(ObjectStreamClass described)
              throws IOException, ClassNotFoundException {
            names.add(described.getName().replaceFirst("^\\[+L?", ""));
            return super.resolveClass(described);
          }
        }) {
      Object unused = in.readObject();
    }
    assertThat(names).isNotEmpty().allMatch(name -> name.startsWith("java."));
  }

  /**
   * Returns a directory in memory that fails in every operation once it is broken, like its files.
   */
  private static Directory breakable(AtomicBoolean isBroken) {
    return breakable(Directory.class, new MemoryDirectory(), isBroken);
  }

  private static <T> T breakable(Class<T> type, Object inner, AtomicBoolean isBroken) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> {
              if (isBroken.get()
                  && Set.of(method.getExceptionTypes()).contains(IOException.class)) {
                throw broken();
              }
              try {
                Object result = method.invoke(inner, args);
                if (result instanceof Directory) {
                  return breakable(Directory.class, result, isBroken);
                }
                return result instanceof WritableFile
                    ? breakable(WritableFile.class, result, isBroken)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            }));
  }
}
