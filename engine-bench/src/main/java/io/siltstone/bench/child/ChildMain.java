package io.siltstone.bench.child;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The main class of a child JVM: its one argument names the {@link Measurement}, standard input has
 * the parameters up to its end, standard output gets the result. It begins when the parameters have
 * come, by when the parent has put the process under its limits.
 */
public final class ChildMain {
  private ChildMain() {}

  /** See the class. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws Exception {
    PrintStream result = System.out;
    // Whatever else is printed must not come between.
    System.setOut(System.err);
    Values parameters = Values.parse(new String(System.in.readAllBytes(), StandardCharsets.UTF_8));
    Measurement measurement =
        Class.forName(args[0]).asSubclass(Measurement.class).getDeclaredConstructor().newInstance();
    try {
      result.println(measurement.run(parameters).toJson());
      result.flush();
      System.exit(0);
    } catch (Throwable e) {
      e.printStackTrace();
      // Once more at the end, which is what the parent tells.
      for (Throwable each = e; each != null; each = each.getCause()) {
        System.err.println(each);
      }
      System.exit(1);
    }
  }
}
