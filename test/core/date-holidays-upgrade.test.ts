import Holidays from 'date-holidays';
import { expect, it } from 'vitest';
import { HOLIDAY_REGIONS, REGION_PATTERN, regionFault } from '../../src/core/holiday-regions.ts';

const library = new Holidays();
const regions = Object.keys(library.getCountries()).flatMap((country) => {
  const parts = Object.keys(library.getStates(country) ?? {});
  const inParts = parts.flatMap((part) => Object.keys(library.getRegions(country, part) ?? {}).map((region) => `${part}-${region}`));
  return [country, ...[...parts, ...inParts].map((part) => `${country}-${part}`)];
});

it('the regions that can be named are those of which date-holidays has rules; an upgrade may add some: add them to the list', () => {
  const named = [...HOLIDAY_REGIONS].flatMap(([country, parts]) => [country, ...parts.map((part) => `${country}-${part}`)]);
  expect(named.toSorted()).toEqual(regions.toSorted());
});

it('a region is taken if and only if it fits the pattern of the document', () => {
  const pattern = new RegExp(REGION_PATTERN, 'u');
  const others = ['', 'D', 'DE-', 'DE-BY-', 'DE-BY-A-1', 'DE-XX', 'XX', 'de', 'DE BY', ' DE', 'FI-1', 'ALL-BL'];
  expect([...regions, ...others].filter((region) => pattern.test(region) !== (regionFault(region) === null))).toEqual([]);
  expect(regions.filter((region) => !pattern.test(region))).toEqual([]);
});
