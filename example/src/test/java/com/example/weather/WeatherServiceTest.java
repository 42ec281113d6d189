package com.example.weather;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WeatherServiceTest {
  private static final String MORNING =
      """
      2026-06-15T08:00:00Z,15.5,70
      2026-06-15T09:00:00Z,17.0,65
      2026-06-15T10:00:00Z,19.25,60
      """;

  @TempDir private Path directory;

  private final HttpClient client = HttpClient.newHttpClient();
  private WeatherService service;

  @BeforeEach
  void start() throws Exception {
    service = WeatherService.start(directory, WeatherService.options().build(), 0);
  }

  @AfterEach
  void stop() throws Exception {
    service.close();
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    URI uri = URI.create("http://localhost:" + service.port() + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri).method(method, BodyPublishers.ofString(body)).build();
    return client.send(request, BodyHandlers.ofString());
  }

  private String get(String path) throws Exception {
    HttpResponse<String> response = send("GET", path, "");
    assertEquals(200, response.statusCode(), response.body());
    return response.body();
  }

  @Test
  void storesAndAnswers() throws Exception {
    assertEquals("3 stored\n", send("PUT", "/stations/Bonn", MORNING).body());

    assertEquals(
        """
        2026-06-15T10:00:00Z,19.25,60
        2026-06-15T09:00:00Z,17.0,65
        """,
        get("/stations/Bonn?latest=2"));
    assertEquals(
        "2026-06-15T09:00:00Z,17.0,65\n",
        get("/stations/Bonn?from=2026-06-15T08:30:00Z&to=2026-06-15T10:00:00Z"));
    assertEquals("Bonn,2026-06-15T10:00:00Z,19.25,60\n", get("/stations"));
    assertEquals("", get("/stations/Aachen"));
  }

  @Test
  void givesADayInPages() throws Exception {
    send("PUT", "/stations/Bonn", MORNING);

    HttpResponse<String> first = send("GET", "/stations/Bonn?day=2026-06-15&size=2", "");
    String token = first.headers().firstValue("Next-Page").orElseThrow();
    String second = get("/stations/Bonn?day=2026-06-15&size=2&page=" + token);

    assertEquals(2, first.body().lines().count());
    assertEquals("2026-06-15T08:00:00Z,15.5,70\n", second);
  }

  @Test
  void deletes() throws Exception {
    send("PUT", "/stations/Bonn", MORNING);

    assertEquals(204, send("DELETE", "/stations/Bonn?at=2026-06-15T09:00:00Z", "").statusCode());
    assertEquals(2, get("/stations/Bonn").lines().count());
    assertEquals(204, send("DELETE", "/stations/Bonn?day=2026-06-15", "").statusCode());
    assertEquals("", get("/stations/Bonn"));
  }

  @Test
  void refusesWhatItDoesNotUnderstandAndStoresNothingOfIt() throws Exception {
    HttpResponse<String> bad = send("PUT", "/stations/Bonn", MORNING + "yesterday,20,50\n");

    assertEquals(400, bad.statusCode());
    assertTrue(bad.body().contains("yesterday"), bad.body());
    assertEquals("", get("/stations/Bonn"));
    assertEquals(400, send("GET", "/stations/Bonn?latest=0", "").statusCode());
    assertEquals(400, send("GET", "/stations/Bonn?day=2026-06-15&page=x", "").statusCode());
    assertEquals(400, send("DELETE", "/stations/Bonn", "").statusCode());
    assertEquals(404, send("GET", "/elsewhere", "").statusCode());
    assertEquals(405, send("POST", "/stations/Bonn", "").statusCode());
  }

  @Test
  void whatWasStoredIsThereAfterARestart() throws Exception {
    String lines =
        IntStream.range(0, 2000)
            .mapToObj(i -> "2026-06-15T10:%02d:%02dZ,%d,50\n".formatted(i / 60, i % 60, i))
            .filter(line -> line.compareTo("2026-06-15T10:60") < 0)
            .collect(Collectors.joining());
    send("PUT", "/stations/Bonn", lines);
    int port = service.port();

    service.close();
    assertThrows(
        IOException.class,
        () ->
            client.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/stations"))
                    .build(),
                BodyHandlers.ofString()));
    start();

    assertEquals(2000, get("/stations/Bonn?latest=5000").lines().count());
  }

  @Test
  void aSecondServiceOnTheSameDirectoryIsRefused() {
    IOException refused =
        assertThrows(
            IOException.class,
            () -> WeatherService.start(directory, WeatherService.options().build(), 0));

    assertTrue(refused.getMessage().contains(directory.toString()), refused.getMessage());
  }
}
