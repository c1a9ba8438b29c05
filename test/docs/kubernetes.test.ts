import { readFileSync } from 'node:fs';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/core/config.ts';

/** "Kubernetes manifests (Deployment or StatefulSet, probes, PDB) as docs that a test checks against schemas." */

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
// biome-ignore lint/suspicious/noExplicitAny: documents of others' making
const documents: any[] = parseAllDocuments(read('docs/kubernetes.yaml')).map((document) => document.toJS());
const of = (kind: string) => documents.find((document) => document.kind === kind);
const KINDS = { Secret, Job, Deployment, Service, PodDisruptionBudget };
const pod = of('Deployment').spec.template.spec;
const [daemon] = pod.containers;

describe('the manifests for Kubernetes', () => {
  it.each(Object.entries(KINDS))('have a %s that its schema allows', (kind, Model) => {
    const document = of(kind);
    const model = new Model(document as never);
    expect(() => model.validate()).not.toThrow();
    expect(() => new Model({ ...document, spec: 5, stringData: 5 } as never).validate()).toThrow();
  });

  it('have these kinds and no others', () => expect(documents.map(({ kind }) => kind)).toEqual(Object.keys(KINDS)));

  it('give the daemon settings that exist and are well formed', () => {
    const secret = { ...of('Secret').stringData, OUTREACH_SECRET_KEY: Buffer.alloc(32, 7).toString('base64url') };
    const own = Object.fromEntries(daemon.env.map(({ name, value }: { name: string; value: string }) => [name, value]));
    for (const name of Object.keys({ ...secret, ...own })) expect(read('docs/settings.md')).toContain(`\`${name}\``);
    const config = loadConfig({ dataDir: '/nowhere' }, { ...secret, ...own });
    expect(config.metricsPort).toBe(daemon.ports.find(({ name }: { name: string }) => name === 'metrics').containerPort);
  });

  it('ask and reach the port of the image, and wait longer for its end than a drain takes', () => {
    const { containerPort } = daemon.ports.find(({ name }: { name: string }) => name === 'http');
    expect(read('docs/docker/Dockerfile')).toContain(`EXPOSE ${containerPort}`);
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) expect(daemon[probe].httpGet.port).toBe('http');
    expect(daemon.readinessProbe.httpGet.path).toBe('/readyz');
    expect(daemon.livenessProbe.httpGet.path).toBe('/healthz');
    expect(of('Service').spec.ports[0].targetPort).toBe('http');
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(30);
  });

  it('run without root, without a writable image, and keep one daemon running', () => {
    for (const { securityContext, containers } of [pod, of('Job').spec.template.spec]) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      for (const { volumeMounts, ...container } of containers) {
        expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
        expect(volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual(['/data', '/tmp']);
      }
    }
    const labels = of('Deployment').spec.template.metadata.labels;
    for (const kind of ['Deployment', 'PodDisruptionBudget']) expect(of(kind).spec.selector.matchLabels).toEqual(labels);
    expect(of('Service').spec.selector).toEqual(labels);
    expect(of('PodDisruptionBudget').spec.minAvailable).toBeLessThan(of('Deployment').spec.replicas);
  });
});
