package io.siltstone.bench.report;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a report as one JSON document, with the figures as they were measured. */
final class ReportJson {
  private final JsonGenerator json;

  private ReportJson(JsonGenerator json) {
    this.json = json;
  }

  static void write(Report report, OutputStream out) throws IOException {
    JsonDocument.write(out, json -> new ReportJson(json).write(report));
  }

  private void write(Report report) throws IOException {
    json.writeStartObject();
    json.writeStringField("title", report.title());
    json.writeFieldName("machine");
    report.machine().writeJson(json);
    json.writeArrayFieldStart("cautions");
    for (String caution : report.cautions()) {
      json.writeString(caution);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("sections");
    for (Section section : report.sections()) {
      json.writeStartObject();
      json.writeStringField("title", section.title());
      json.writeArrayFieldStart("blocks");
      for (Block block : section.blocks()) {
        json.writeStartObject();
        if (block instanceof Paragraph paragraph) {
          json.writeStringField("text", paragraph.text());
        } else if (block instanceof CodeBlock code) {
          json.writeStringField("code", code.text());
        } else if (block instanceof ReportTable table) {
          write(table);
        } else if (block instanceof Chart chart) {
          write(chart);
        }
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void write(ReportTable table) throws IOException {
    json.writeStringField("table", table.title());
    json.writeArrayFieldStart("columns");
    for (ReportTable.Column column : table.columns()) {
      json.writeStartObject();
      json.writeStringField("name", column.name());
      json.writeStringField("head", column.head());
      json.writeStringField("unit", column.unit());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("rows");
    for (List<@Nullable Object> row : table.rows()) {
      json.writeStartObject();
      for (int i = 0; i < row.size(); i++) {
        json.writeFieldName(table.columns().get(i).name());
        value(row.get(i));
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void write(Chart chart) throws IOException {
    json.writeStringField("chart", chart.title());
    json.writeStringField("x", chart.x().label());
    json.writeStringField("y", chart.y().label());
    if (chart.isBars()) {
      json.writeArrayFieldStart("categories");
      for (String category : chart.categories()) {
        json.writeString(category);
      }
      json.writeEndArray();
    }
    json.writeArrayFieldStart("series");
    for (Chart.Series series : chart.series()) {
      json.writeStartObject();
      json.writeStringField("name", series.name());
      if (!chart.isBars()) {
        values("x", series.xs());
      }
      values("y", series.ys());
      if (series.lows().length > 0) {
        values("low", series.lows());
        values("high", series.highs());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("references");
    for (Chart.Reference reference : chart.references()) {
      json.writeStartObject();
      json.writeStringField("name", reference.name());
      json.writeFieldName("y");
      value(reference.y());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void values(String name, double[] values) throws IOException {
    json.writeArrayFieldStart(name);
    for (double value : values) {
      value(value);
    }
    json.writeEndArray();
  }

  /** Writes a value; a number that is not finite becomes null, because JSON has none. */
  private void value(@Nullable Object value) throws IOException {
    if (value == null) {
      json.writeNull();
    } else if (value instanceof Number number) {
      double real = number.doubleValue();
      if (!Double.isFinite(real)) {
        json.writeNull();
      } else if (number instanceof Long || number instanceof Integer) {
        json.writeNumber(number.longValue());
      } else {
        json.writeNumber(real);
      }
    } else {
      json.writeString(value.toString());
    }
  }
}
