(function () {
  "use strict";
  var table = document.getElementById("files");
  if (!table) return;
  var body = table.tBodies[0];

  Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
    var button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.textContent = "";
    head.appendChild(button);
    button.addEventListener("click", function () {
      var up = head.getAttribute("aria-sort") === "descending";
      Array.prototype.forEach.call(table.tHead.rows[0].cells, function (other) {
        other.removeAttribute("aria-sort");
      });
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      var rows = Array.prototype.slice.call(body.rows);
      rows.sort(function (left, right) {
        var a = left.cells[column].getAttribute("data-v");
        var b = right.cells[column].getAttribute("data-v");
        var order = a !== null ? a - b
            : left.cells[column].textContent.localeCompare(right.cells[column].textContent, "en", {numeric: true});
        return up ? order : -order;
      });
      rows.forEach(function (row) { body.appendChild(row); });
    });
  });

  function light(event, on) {
    var of = event.target.closest && event.target.closest("[data-f]");
    if (!of) return;
    document.querySelectorAll('[data-f="' + of.getAttribute("data-f") + '"]').forEach(function (each) {
      each.classList.toggle("on", on);
    });
  }
  document.addEventListener("mouseover", function (event) { light(event, true); });
  document.addEventListener("mouseout", function (event) { light(event, false); });
})();
