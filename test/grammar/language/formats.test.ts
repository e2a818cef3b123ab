/**
 * Formats of strings, on both sides of each boundary of them.
 */
import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../../src/grammar/language/schema/formats.js';
import { schemaSource } from '../../../src/grammar/language/source.js';
import { Language, thrownBy } from './languages.js';

const LABEL = 'a'.repeat(63);

const TABLE: Record<string, readonly [yes: readonly string[], no: readonly string[]]> = {
  date: [
    ['2024-02-29', '2000-02-29', '2023-02-28', '2023-01-31', '2023-04-30', '2023-12-31', '0000-01-01', '9999-12-31'],
    [
      ...[
        '2023-02-29',
        '1900-02-29',
        '2024-02-30',
        '2023-04-31',
        '2023-06-31',
        '2023-01-32',
        '2023-13-01',
        '2023-00-01',
      ],
      ...['2023-01-00', '2023-1-01', '23-01-01', '2023-01-01T', '', '٢٠٢٣-01-01'],
    ],
  ],
  time: [
    [
      '00:00:00Z',
      '23:59:59z',
      '12:00:00.5+05:30',
      '12:00:00-23:59',
      '23:59:60Z',
      '23:59:60.9+00:00',
      '08:30:06.283185Z',
    ],
    [
      '24:00:00Z',
      '23:60:00Z',
      '23:59:61Z',
      '22:59:60Z',
      '12:00:00',
      '12:00Z',
      '12:00:00.Z',
      '12:00:00+24:00',
      '12:00:00+0530',
    ],
  ],
  'date-time': [
    ['2024-02-29T12:00:00Z', '2023-01-01t00:00:00z', '2023-06-30T23:59:60Z', '2023-01-01T00:00:00.123-08:00'],
    ['2023-02-29T12:00:00Z', '2023-01-01 00:00:00Z', '2023-01-01T00:00:00', '2023-01-01', '2023-01-01T24:00:00Z'],
  ],
  duration: [
    ['P1Y', 'P1Y2M3DT4H5M6S', 'PT1S', 'PT1M', 'PT36H', 'P1DT12H', 'P2W', 'P0D', 'P4Y', 'P1M'],
    ['P', 'PT', 'P1', '1D', 'P1D1Y', 'P1YT', 'P1W1D', 'PT1D', 'P1Y2D', 'PT1H1S', 'p1d', 'P-1D', 'P0.5D'],
  ],
  email: [
    ['joe.bloggs@example.com', 'te~st@example.com', '~test@example.com', "o'b+x@a.b", 'a@b', `a@${LABEL}`],
    [
      '2962',
      'a@',
      '@b',
      '.a@b.c',
      'a.@b.c',
      'a..b@c.d',
      'a b@c.d',
      'a@-b.c',
      'a@b-.c',
      'a@b..c',
      `a@${LABEL}a`,
      'é@b.c',
    ],
  ],
  hostname: [
    ['www.example.com', 'a', 'a-b', 'a1', '1a', `${LABEL}.com`, [LABEL, LABEL, LABEL, 'a'.repeat(61)].join('.')],
    [
      ...['', '.', 'a.', '.a', '-a', 'a-', 'a_b', 'a..b', `${LABEL}a`, 'XN--aa---o47jg78q', 'ab--cd', 'é.com', 'a b'],
      [LABEL, LABEL, LABEL, 'a'.repeat(62)].join('.'),
    ],
  ],
  ipv4: [
    ['0.0.0.0', '255.255.255.255', '192.168.0.1', '249.250.199.100', '87.10.0.1'],
    [
      '256.0.0.1',
      '1.2.3',
      '1.2.3.4.5',
      '01.2.3.4',
      '1.2.3.04',
      '0x7f.0.0.1',
      '127.1',
      '1.2.3.4/24',
      '1.2.3.٤',
      ' 1.2.3.4',
    ],
  ],
  ipv6: [
    [
      '::',
      '::1',
      '1::',
      '1:2:3:4:5:6:7:8',
      '1::8',
      '1:2:3:4:5:6:7::',
      '::2:3:4:5:6:7:8',
      'ABCD:ef01::42',
      '12:34::56:78',
    ],
    [
      '',
      ':',
      ':1',
      '1:',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '12345::',
      '1::2::3',
      ':::',
      'g::',
      '1:2:3:4:5:6:7:8::',
      '::1%eth0',
    ],
  ],
  uuid: [
    [
      '2eb8aa08-aa98-11ea-b4aa-73b441d16380',
      '2EB8AA08-AA98-11EA-B4AA-73B441D16380',
      '00000000-0000-0000-0000-000000000000',
    ],
    [
      '2eb8aa08-aa98-11ea-b4aa-73b441d1638',
      '2eb8aa08aa9811eab4aa73b441d16380',
      '2eb8aa08-aa98-11ea-b4aa-73b441d1638g',
      '{}',
    ],
  ],
  uri: [
    [
      ...[
        'http://foo.bar/?baz=qux#quux',
        'urn:oasis:names:x',
        'mailto:a@b.c',
        'a:',
        'http://[::1]:80/',
        'http://a:1@b/',
      ],
      ...[
        'ldap://[2001:db8::7]/c=GB?objectClass?one',
        'tel:+1-816-555-1212',
        'http://a.b/%20/(x)',
        'file:///etc/x',
        'a:/b',
      ],
    ],
    [
      ...['//foo.bar/?baz', '/abc', 'abc', '', ':a', '1a:b', 'http://a b', 'http://a/%2', 'http://a/"', 'http://a/<b>'],
      ...['http://a/\\b', 'http://[::1', 'http://[g]/', 'http://a:b/', 'http://a#b#c', 'http://é.com', 'a:^'],
    ],
  ],
  'uri-reference': [
    ['', 'http://a/b?c#d', '//foo.bar/?baz', '/abc', 'abc', '#frag', '?q', 'a/b:c', './a:b', '@', '//', '/', 'a%20b'],
    ['\\\\WINDOWS\\share', '#frag\\ment', ':a', '1a:b', 'a b', 'a#b#c', '%', '[', 'é'],
  ],
  'relative-json-pointer': [
    ['1', '0/foo/bar', '2/0/baz/1/zip', '0#', '120/~0~1', '0/'],
    ['/foo/bar', '-1/foo', '+1/foo', '0##', '01/a', '01#', '', '1a', '0/~'],
  ],
  'json-pointer': [
    ['', '/', '/a/b', '/a~0b/c~1d', '//', '/ ', '/é', '/0/-'],
    ['a', '/a~', '/a~2', '#/a', '~', '/~~'],
  ],
};

describe('a format', () => {
  it('of this table is each of those that are enforced', () => {
    expect(Object.keys(TABLE).sort()).toEqual(Object.keys(FORMATS).sort());
  });

  it.each(Object.entries(TABLE))('%s has these strings and not those', (format, [yes, no]) => {
    const language = new Language(schemaSource({ type: 'string', format }));
    expect(language.lacking(yes.map((text) => JSON.stringify(text)))).toEqual([]);
    expect(language.having(no.map((text) => JSON.stringify(text)))).toEqual([]);
    language.dispose();
  });

  it('narrows a pattern and lengths beside it', () => {
    const schema = { type: 'string', format: 'date', pattern: '^2024', maxLength: 10 };
    const language = new Language(schemaSource(schema));
    expect(language.having(['"2024-01-01"', '"2023-01-01"', '"2024-13-01"', '"2024"'])).toEqual(['"2024-01-01"']);
  });

  it('that is not known is refused by name, unless a pattern beside it says it', () => {
    expect(thrownBy(() => schemaSource({ items: { type: 'string', format: 'cuid' } }))).toMatchObject({
      parameter: 'json_schema/items/format',
      value: 'cuid',
      domain: expect.stringMatching(/^one of date-time, date, .*, or beside a `pattern`$/),
    });
    expect(
      new Language(schemaSource({ type: 'string', format: 'cuid', pattern: '^c' })).having(['"c1"', '"d"']),
    ).toEqual(['"c1"']);
  });

  it('of numbers says nothing; of a string or null it is that of the string', () => {
    expect(new Language(schemaSource({ type: 'integer', format: 'int32' })).has('5000000000')).toBe(true);
    const language = new Language(schemaSource({ type: ['string', 'null'], format: 'date' }));
    expect(language.having(['null', '"2024-01-01"', '"x"'])).toEqual(['null', '"2024-01-01"']);
  });

  it('may be left out with a warning', () => {
    const { text, warnings } = schemaSource({ type: 'string', format: 'cuid' }, { unsupported: 'warn' });
    expect(JSON.parse(text)).not.toHaveProperty('format');
    expect(warnings).toEqual([{ keyword: 'format', place: '/format', reason: 'not enforced' }]);
  });
});
