import { describe, expect, test } from 'bun:test';
import { Problem } from '../../../kernel/problem.ts';
import { createMjml, isMjml } from './mjml.ts';
import { createMjmlEngine } from './mjml-engine.ts';

const nested = (depth: number, open = '<mj-wrapper>', close = '</mj-wrapper>') =>
  `<mjml><mj-body>${open.repeat(depth)}${close.repeat(depth)}</mj-body></mjml>`;
const text = (content: string) =>
  `<mjml><mj-body><mj-section><mj-column><mj-text>${content}</mj-text></mj-column></mj-section></mj-body></mjml>`;
const PLAIN = text('hello');

describe('the MJML engine', () => {
  test('renders after a failure of its WebAssembly instance, and reports the first error', () => {
    const engine = createMjmlEngine();
    for (let round = 0; round < 2; round++) {
      expect(() => engine(nested(2_000))).toThrow(/memory access|call stack/i);
      expect(engine(PLAIN)).toMatchObject({ type: 'success', content: expect.stringContaining('hello') });
    }
  });
});

describe('MJML of a template', () => {
  const engine = createMjmlEngine();
  let calls = 0;
  const render = createMjml((source) => {
    calls++;
    return engine(source);
  });
  const refusal = (source: string): string => {
    try {
      render(source, 'HtmlTemplate');
    } catch (error) {
      if (error instanceof Problem) return `${error.code} ${error.detail}`;
      throw error;
    }
    return 'rendered';
  };

  test.each([
    ['wrappers', nested(500)],
    ['one level too many', nested(49)],
    ['elements of HTML', text('<div>'.repeat(500) + '</div>'.repeat(500))],
    ['upper case, which mrml does not treat as void', text('<BR>'.repeat(500))],
    ['closing tags in comments', nested(500, '<mj-wrapper><!-- </mj-wrapper> -->')],
    ['closing tags in attributes', nested(500, '<mj-wrapper title="</mj-wrapper>">')],
    ['quotes in quotes', nested(500, `<mj-wrapper a="'" b='"'>`)],
    ['comments in attributes', nested(500, '<mj-wrapper a="<!--">', '</mj-wrapper a="-->">')],
    ['a comment that ends in XML later than in HTML', `<!--> --><!---> -->${nested(500)}`],
    ['closing tags of other elements', nested(500, '<mj-wrapper></x>')],
  ])('nested too deeply is rejected before mrml runs: %s', (_, source) => {
    const before = calls;
    expect(refusal(source)).toStartWith(
      'invalid_template HtmlTemplate: the MJML is nested more than 50 deep',
    );
    expect(calls).toBe(before);
  });

  test.each([
    ['fifty levels', nested(48)],
    ['many void elements', text('<br>a<img src="x"><hr>'.repeat(500))],
    ['many empty elements', text('<b/>'.repeat(500))],
    ['many elements side by side', text('<b a="/">x</b >'.repeat(500))],
    ['many elements in comments', text('<!-- <b> -->'.repeat(500))],
  ])('%s are rendered', (_, source) => {
    expect(refusal(source)).toBe('rendered');
  });

  test('a failure of the engine is an error of the template', () => {
    const failing = createMjml(() => {
      throw new WebAssembly.RuntimeError('unreachable');
    });
    expect(() => failing(PLAIN, 'HtmlTemplate')).toThrow('HtmlTemplate: the MJML cannot be rendered');
  });

  test.each([
    ['<mjml>', true],
    [' \n<!-- a --> <!---->\n<MJML lang="en">', true],
    ['<mjml', false],
    ['<mjmlx>', false],
    ['<!-- <mjml> -->', false],
    ['<!-- <mjml>', false],
    ['<!-- a --> x --> <mjml>', false],
    ['<p><mjml>', false],
  ])('%j is recognised: %p', (source, expected) => {
    expect(isMjml(source)).toBe(expected);
  });

  test('is recognised in linear time', () => {
    for (let comments = 30; comments < 230; comments++)
      expect(isMjml(`${'<!----> '.repeat(comments)}x`)).toBe(false);
    for (const hostile of ['<!----> ', '<!-- ', '<!--', ' ', '-->', '<!---->'])
      expect(isMjml(`${hostile.repeat(200_000)}x`)).toBe(false);
    expect(refusal(`<mjml>${'<a b="'.repeat(200_000)}`)).toContain('not valid');
    expect(refusal(`<mjml>${'<!--'.repeat(200_000)}`)).toContain('not valid');
  });
});
