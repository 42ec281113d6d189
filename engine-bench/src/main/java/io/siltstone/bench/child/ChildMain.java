package io.siltstone.bench.child;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The main class of a child JVM: its only argument names the {@link Measurement}, standard input
 * has the parameters, and standard output gets the result. It begins when standard input has ended;
 * by then the parent has put the process under its limits.
 */
public final class ChildMain {
  private ChildMain() {}

  /** Runs a measurement; see the class. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws Exception {
    PrintStream result = System.out;
    // Everything else that is printed must not mix with the result.
    System.setOut(System.err);
    NamedValues parameters =
        NamedValues.parse(new String(System.in.readAllBytes(), StandardCharsets.UTF_8));
    try {
      result.println(measure(args[0], parameters).toJson());
      result.flush();
      System.exit(0);
    } catch (Throwable e) {
      e.printStackTrace();
      // Repeated at the end of the output, which is what the parent reports.
      for (Throwable each = e; each != null; each = each.getCause()) {
        System.err.println(each);
      }
      System.exit(1);
    }
  }

  /** Runs the {@link Measurement} of a class, which is given by its name. */
  static NamedValues measure(String measurement, NamedValues parameters) throws Exception {
    return Class.forName(measurement)
        .asSubclass(Measurement.class)
        .getDeclaredConstructor()
        .newInstance()
        .run(parameters);
  }
}
