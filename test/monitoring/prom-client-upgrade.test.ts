import { Counter, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { openMetricsOf } from '../../src/monitoring/open-metrics.ts';

function counted(): Registry {
  const registry = new Registry();
  const counter = new Counter({ name: 'things_total', help: 'Things', labelNames: ['kind'], registers: [registry] });
  counter.inc({ kind: 'a' }, 2);
  return registry;
}

describe('an upgrade of prom-client breaks /metrics unless', () => {
  it('an object that inherits from a counter is shown as OpenMetrics wants it: the family without _total, its samples with', async () => {
    const text = await openMetricsOf(counted()).metrics();
    expect(text).toBe('# HELP things Things\n# TYPE things counter\nthings_total{kind="a"} 2\n# EOF\n');
  });

  it('and the counter itself keeps its name for the text format of Prometheus', async () => {
    const registry = counted();
    await openMetricsOf(registry).metrics();
    expect(await registry.metrics()).toBe('# HELP things_total Things\n# TYPE things_total counter\nthings_total{kind="a"} 2\n');
    expect(registry.getSingleMetric('things_total')).toBeDefined();
  });
});

describe('openMetricsOf can go once prom-client', () => {
  it('no longer takes _total off the names of what it shows', async () => {
    const registry = counted();
    const shown = new Registry();
    shown.registerMetric(registry.getSingleMetric('things_total') as Counter);
    shown.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as never);
    await shown.metrics();
    expect(await registry.metrics()).toContain('# TYPE things counter');
  });
});
