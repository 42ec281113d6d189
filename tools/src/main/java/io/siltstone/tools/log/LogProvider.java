package io.siltstone.tools.log;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Provides SLF4J with loggers that print warnings and errors. SLF4J creates one per process.
 *
 * <p>{@code java.util.logging} is not used, because it closes its handlers as soon as a signal
 * arrives, which would lose failures of a command that is shutting down. SLF4J's simple logger is
 * not used, because it prints a stack trace with each failure.
 */
public final class LogProvider implements SLF4JServiceProvider {
  /** The system property that makes loggers print stack traces if its value is {@code true}. */
  public static final String VERBOSE = "siltstone.verbose";

  private static final String API_VERSION = "2.0.99";

  private final Map<String, Logger> loggers = new ConcurrentHashMap<>();
  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new NOPMDCAdapter();

  @Override
  public ILoggerFactory getLoggerFactory() {
    return name -> loggers.computeIfAbsent(name, ErrorLogger::new);
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return API_VERSION;
  }

  @Override
  public void initialize() {
    // Loggers have no state to initialize.
  }
}
