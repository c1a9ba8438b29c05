import { type OpenMetricsContentType, Registry } from 'prom-client';

/**
 * The same metrics for OpenMetrics 1.0, in which a counter `x_total` belongs to the family `x`. prom-client gets there by
 * taking `_total` off the counter's own name, for good, and has no other way to serve one registry in both formats. So
 * what is registered here inherits from each metric, and the inheriting object takes the new name.
 */
export function openMetricsOf(registry: Registry): Registry<OpenMetricsContentType> {
  const shown = new Registry<OpenMetricsContentType>();
  shown.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  for (const { name } of registry.getMetricsAsArray()) {
    const metric = registry.getSingleMetric(name);
    if (metric !== undefined) shown.registerMetric(Object.create(metric));
  }
  return shown;
}
