package com.example.weather;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.siltstone.event.ReadOnlyException;
import io.siltstone.rows.PagingState;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Readings over HTTP, a line of text each:
 *
 * <pre>
 *   GET    /stations                                  all stations with their latest reading
 *   PUT    /stations/S                                readings of the body, all or none
 *   GET    /stations/S?latest=N                       the latest N
 *   GET    /stations/S?from=TIME&amp;to=TIME          from one moment to before another
 *   GET    /stations/S?day=DATE&amp;size=N&amp;page=TOKEN a day in pages; the header Next-Page leads on
 *   DELETE /stations/S?at=TIME                        one reading
 *   DELETE /stations/S?day=DATE                       a day
 * </pre>
 */
final class WeatherHandler implements HttpHandler {
  private static final Logger log = LoggerFactory.getLogger(WeatherHandler.class);

  private static final String PATH = "/stations";
  private static final int MAX_BODY_BYTES = 1 << 20;
  private static final int MAX_ROWS = 10_000;

  private final Readings readings;

  WeatherHandler(Readings readings) {
    this.readings = readings;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Answer answer;
      try {
        answer = answer(exchange);
      } catch (IllegalArgumentException | DateTimeParseException e) {
        answer = new Answer(400, e.getMessage() + "\n");
      } catch (ReadOnlyException e) {
        // The data on the disk is not certain any more: an operator has to look.
        answer = new Answer(503, e.getMessage() + "\n");
      } catch (IOException | RuntimeException e) {
        log.error("{} {}", exchange.getRequestMethod(), exchange.getRequestURI(), e);
        answer = new Answer(500, "failed, see the log\n");
      }
      answer.next.ifPresent(
          state -> exchange.getResponseHeaders().set("Next-Page", state.toString()));
      byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
      exchange.sendResponseHeaders(answer.status, body.length == 0 ? -1 : body.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    }
  }

  private record Answer(int status, String body, Optional<PagingState> next) {
    Answer(int status, String body) {
      this(status, body, Optional.empty());
    }

    static Answer of(List<Reading> readings, Optional<PagingState> next) {
      String lines =
          readings.stream().map(reading -> reading.toLine() + "\n").collect(Collectors.joining());
      return new Answer(200, lines, next);
    }
  }

  private Answer answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
    if (path.equals(PATH) && exchange.getRequestMethod().equals("GET")) {
      return stations();
    }
    if (!path.startsWith(PATH + "/") || path.length() == PATH.length() + 1) {
      return new Answer(404, "no such path\n");
    }
    String station = path.substring(PATH.length() + 1);
    return switch (exchange.getRequestMethod()) {
      case "PUT" -> put(station, exchange);
      case "GET" -> get(station, query);
      case "DELETE" -> delete(station, query);
      default -> new Answer(405, "allowed are GET, PUT and DELETE\n");
    };
  }

  private Answer stations() throws IOException {
    String lines =
        readings.stations().entrySet().stream()
            .map(entry -> entry.getKey() + "," + entry.getValue().toLine() + "\n")
            .collect(Collectors.joining());
    return new Answer(200, lines);
  }

  private Answer put(String station, HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
    if (body.length > MAX_BODY_BYTES) {
      return new Answer(413, "at most " + MAX_BODY_BYTES + " bytes at once\n");
    }
    List<Reading> all =
        new String(body, StandardCharsets.UTF_8)
            .lines()
            .filter(line -> !line.isBlank())
            .map(Reading::parse)
            .toList();
    readings.put(station, all);
    return new Answer(200, all.size() + " stored\n");
  }

  private Answer get(String station, Map<String, String> query) throws IOException {
    if (query.containsKey("day")) {
      Readings.Page page =
          readings.page(
              station,
              LocalDate.parse(query.get("day")),
              number(query, "size", 100),
              Optional.ofNullable(query.get("page")).map(PagingState::parse));
      return Answer.of(page.readings(), page.next());
    }
    if (query.containsKey("from") && query.containsKey("to")) {
      Instant from = Instant.parse(query.get("from"));
      Instant to = Instant.parse(query.get("to"));
      return Answer.of(readings.between(station, from, to), Optional.empty());
    }
    return Answer.of(readings.latest(station, number(query, "latest", 10)), Optional.empty());
  }

  private Answer delete(String station, Map<String, String> query) throws IOException {
    if (query.containsKey("at")) {
      readings.delete(station, Instant.parse(query.get("at")));
    } else if (query.containsKey("day")) {
      readings.delete(station, LocalDate.parse(query.get("day")));
    } else {
      return new Answer(400, "say what: at=TIME or day=DATE\n");
    }
    return new Answer(204, "");
  }

  private static int number(Map<String, String> query, String name, int normal) {
    String text = query.get(name);
    int number = text == null ? normal : Integer.parseInt(text);
    if (number < 1 || number > MAX_ROWS) {
      throw new IllegalArgumentException(name + "=" + number + ", allowed 1 to " + MAX_ROWS);
    }
    return number;
  }

  private static Map<String, String> query(String raw) {
    Map<String, String> query = new HashMap<>();
    if (raw != null) {
      for (String part : raw.split("&")) {
        int equals = part.indexOf('=');
        if (equals > 0) {
          query.put(
              part.substring(0, equals),
              URLDecoder.decode(part.substring(equals + 1), StandardCharsets.UTF_8));
        }
      }
    }
    return query;
  }
}
