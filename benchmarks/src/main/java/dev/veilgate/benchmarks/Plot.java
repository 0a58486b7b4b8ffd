package dev.veilgate.benchmarks;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A picture of lines over a logarithmic axis, the look of all figures: circles are ours, other marks are what others print. */
final class Plot {
    static {
        System.setProperty("java.awt.headless", "true"); // before the first class of it is there
    }

    private static final Color[] COLOURS = {
        new Color(0x1f77b4), new Color(0xd62728), new Color(0x2ca02c), new Color(0x9467bd), new Color(0xff7f0e)
    };
    private static final Marker[] MARKS = {SeriesMarkers.DIAMOND, SeriesMarkers.TRIANGLE_UP, SeriesMarkers.CROSS};
    private static final BasicStroke DASHES =
            new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 10, new float[] {8, 5}, 0);

    private final XYChart chart;

    Plot(String title, String x, String y) {
        chart = new XYChartBuilder()
                .width(1000)
                .height(560)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle(y + " (logarithmic)")
                .build();
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setYAxisLogarithmic(true);
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
    }

    /** The other axis too. */
    Plot logarithmicX() {
        chart.getStyler().setXAxisLogarithmic(true);
        return this;
    }

    /** Of this software; lines of one colour belong together. */
    Plot line(String name, int colour, double[] x, double[] y) {
        return add(name, colour, x, y, SeriesLines.SOLID, SeriesMarkers.CIRCLE);
    }

    /** Of this software too, beside the first. */
    Plot dashedLine(String name, int colour, double[] x, double[] y) {
        return add(name, colour, x, y, DASHES, SeriesMarkers.CIRCLE);
    }

    /** What others print of themselves. */
    Plot printedLine(String name, int colour, double[] x, double[] y) {
        return add(name, colour, x, y, DASHES, SeriesMarkers.SQUARE);
    }

    /** The same in one place; each of them has a mark of its own. */
    Plot printedPoint(String name, int colour, int mark, double x, double y) {
        return add(name, colour, new double[] {x}, new double[] {y}, SeriesLines.NONE, MARKS[mark % MARKS.length]);
    }

    private Plot add(String name, int colour, double[] x, double[] y, BasicStroke stroke, Marker marker) {
        if (x.length > 0) {
            XYSeries series = chart.addSeries(name, x, y);
            series.setLineStyle(stroke);
            series.setLineColor(COLOURS[colour % COLOURS.length]);
            series.setMarker(marker);
            series.setMarkerColor(COLOURS[colour % COLOURS.length]);
        }
        return this;
    }

    void save(Path png) throws IOException {
        try (OutputStream out = Files.newOutputStream(png)) {
            ChartEncoder.saveChart(chart, out, "png");
        }
    }
}
