import { DomUtils, parseDocument } from 'htmlparser2';
import { MAX_MERGED, OPT_OUT, renderStep, type UnmergedStep } from '../../campaigns/index.ts';
import { escapeHtml } from '../../html/page.ts';
import { textOf } from '../../mail/compose.ts';
import { isMarked, MARK_IN_HTML, MARK_IN_TEXT, MarkedText, urlMark, valueMark } from './marked-text.ts';

/** Makes a link of an email: its image (`o`), a click (`c`) to a URL, or its way out (`u`). */
export type LinkFor = (kind: 'o' | 'c' | 'u', url?: string) => string;

/** An email of a step, as its body is written. */
export interface BodySource {
  email: UnmergedStep;
  /** Makes its links. */
  link: LinkFor;
  /** Adds tracked links and the image to rendered HTML. */
  decorate(html: string, link: LinkFor): string;
}

export interface Body {
  subject: string;
  html: string;
  /** The text alternative of the HTML, where it is known. */
  text?: string;
  /** Why the email can't be sent, as a message for users. Null if it can. */
  fault: string | null;
}

/** Emails of a kind before what they share is worked out, which costs as much as two of them save. */
const BEFORE_SHARING = 2;
/** Kinds of emails that are kept of a step. */
const MAX_KINDS = 32;
/** Tags of a body that is shared: what looks into it recurses. */
const MAX_TAGS = 2_000;

/** Text after which the first letter of a value decides what it is part of: the beginning of a tag, a comment or an entity. */
const UNDECIDED = /(?:&[#\w]*|<[^\s<>]*)$/;
/** Attributes that the text alternative depends on: targets of links and numbers of lists. */
const READ_ATTRIBUTES = new Set(['href', 'start', 'type']);
/** Words with single spaces, and no dash or exclamation mark at either end, which could begin or end a comment. */
const PLAIN_VALUE = /^(?![-!])[^\p{C}\p{Z}]+(?: [^\p{C}\p{Z}]+)*(?<![-!])$/u;
/** URLs that are the same in text, in HTML and in the attribute of a link. */
const PLAIN_URL = /^(?:[\w:/?=@.+~-]|%[\dA-F]{2})+(?<!-)$/i;

/** Writes the body of one email by itself. */
export function writeBody({ email, link, decorate }: BodySource): Body {
  const { subject, html, fault } = renderStep(email);
  return { subject, html: fault === null ? decorate(html, link) : html, fault };
}

interface Kind {
  seen: number;
  /** Null where emails of the kind are written by themselves. */
  shared?: SharedBody | null;
}

interface Step {
  /** The keys that its templates may use. */
  keys: string[];
  kinds: Map<string, Kind>;
}

/**
 * Writes the bodies of a batch. Emails of a step differ by their values alone, so one is written with marks in their places, and gives
 * the others their HTML and the text alternative with it. Whatever a value could change around it is written by itself.
 */
export class SharedBodies {
  readonly #steps = new Map<UnmergedStep['step'], Step>();

  /**
   * @param source with the object of its step, all of a batch have the same but for the contact, variant, thread and links
   * @param group what else tells emails of one step apart, such as that some are copies
   */
  write(source: BodySource, group: string): Body {
    const { email } = source;
    // What is taken of choices differs from one contact to the next.
    if (email.spintax) return writeBody(source);
    const { keys, kinds } = this.#stepOf(email);
    const name = [group, email.isB, email.threadSubject === null, schemeOf(email), ...keys.map((key) => isFilled(email, key))].join(' ');
    const kind: Kind = kinds.get(name) ?? { seen: 0 };
    if (kind.seen++ === 0 && kinds.size < MAX_KINDS) kinds.set(name, kind);
    if (kind.seen > BEFORE_SHARING && kind.shared === undefined) kind.shared = SharedBody.of(source, keys);
    return kind.shared?.fill(source) ?? writeBody(source);
  }

  #stepOf({ step, opening, signatureHtml, footerHtml, values }: UnmergedStep): Step {
    const known = this.#steps.get(step);
    if (known !== undefined) return known;
    const templates = [...Object.values(step), ...Object.values(opening), signatureHtml, footerHtml].join('\n');
    const found = { keys: Object.keys(values).filter((key) => templates.includes(key)), kinds: new Map() };
    this.#steps.set(step, found);
    return found;
  }
}

const isFilled = ({ values }: UnmergedStep, key: string) => (values[key] ?? '') !== '';
/** Of the link to unsubscribe by; tracked links have the same. */
const schemeOf = ({ values }: UnmergedStep) => /^\w+:(?:\/\/)?/.exec(values[OPT_OUT] ?? '')?.[0] ?? '';

/** The text that stands at a mark. */
interface Slot {
  /** A URL without its scheme. */
  isUrl: boolean;
  /** @param before what stands at the marks before it */
  read(source: BodySource, before: readonly string[]): string;
}

/** A link in the text alternative: its target is left out where the text is the same. */
interface Anchor {
  href: MarkedText;
  text: MarkedText;
}

interface SharedParts {
  subject: MarkedText;
  html: MarkedText;
  text: MarkedText;
  anchors: readonly Anchor[];
}

/** The body that the emails of a kind share. */
class SharedBody {
  readonly #slots: readonly Slot[];
  readonly #parts: SharedParts;

  private constructor(slots: readonly Slot[], parts: SharedParts) {
    this.#slots = slots;
    this.#parts = parts;
  }

  /** Null where marks don't show what values would do. */
  static of({ email, decorate }: BodySource, keys: readonly string[]): SharedBody | null {
    const slots: Slot[] = [];
    const mark = (slot: Slot) => (slot.isUrl ? urlMark : valueMark)(slots.push(slot) - 1);
    const values: Record<string, string | null> = Object.assign(Object.create(null), email.values);
    for (const key of keys) {
      const read = ({ email: { values: its } }: BodySource) => its[key] ?? '';
      if (isFilled(email, key) && key !== OPT_OUT) values[key] = mark({ isUrl: false, read });
    }
    const scheme = schemeOf(email);
    const withoutScheme = (url: string) => url.slice(scheme.length);
    const optOut = scheme + mark({ isUrl: true, read: (source) => withoutScheme(source.email.values[OPT_OUT] ?? '') });
    const threadSubject = email.threadSubject === null ? null : mark({ isUrl: false, read: (source) => source.email.threadSubject ?? '' });
    const targets: MarkedText[] = [];
    const link: LinkFor = (kind, url) => {
      if (kind === 'u') return optOut;
      const target = inText(url ?? '');
      targets.push(target);
      const read: Slot['read'] = (source, before) => withoutScheme(source.link(kind, url && target.fill(before)));
      return scheme + mark({ isUrl: true, read });
    };
    const body = writeBody({ email: { ...email, values: { ...values, [OPT_OUT]: optOut }, threadSubject }, link, decorate });
    if (body.fault !== null || body.html.split('<').length > MAX_TAGS) return null;
    const [subject, html, text] = [inText(body.subject), new MarkedText(body.html, MARK_IN_HTML), inText(textOf(body.html))];
    const isWhole = [subject, html, text, ...targets].every((marked) => marked.isWhole);
    if (!isWhole || html.before.some((before) => UNDECIDED.test(before))) return null;
    // As the library reads it that makes the text alternative.
    const document = parseDocument(body.html);
    const isRead = ([name, value]: [string, string]) =>
      isMarked(name) || (READ_ATTRIBUTES.has(name) && inText(value).slots.some((slot) => slots[slot]?.isUrl !== true));
    if (DomUtils.findOne(({ attribs }) => Object.entries(attribs).some(isRead), document.children) !== null) return null;
    return new SharedBody(slots, { subject, html, text, anchors: anchorsWithMarks(document) });
  }

  /** The body of one email; undefined for one that must be written by itself. */
  fill(source: BodySource): Body | undefined {
    const { subject, html, text, anchors } = this.#parts;
    const values: string[] = [];
    for (const slot of this.#slots) values.push(slot.read(source, values));
    const isPlain = (slot: number) => (this.#slots[slot]?.isUrl ? PLAIN_URL : PLAIN_VALUE).test(values[slot] ?? '');
    if (!html.slots.every(isPlain) || anchors.some((anchor) => mayBeItsTarget(anchor, values))) return undefined;
    const body = { subject: subject.fill(values), html: html.fill(values.map(escapeHtml)), text: text.fill(values), fault: null };
    // A UTF-16 unit has three bytes at most. Whether it is too large is for rendering to say.
    return (body.subject.length + body.html.length) * 3 > MAX_MERGED ? undefined : body;
  }
}

type Document = ReturnType<typeof parseDocument>;

/** The links whose text has marks. */
const anchorsWithMarks = (document: Document): Anchor[] =>
  DomUtils.getElementsByTagName('a', document)
    .map((link) => ({ href: inText(link.attribs.href ?? ''), text: inText(DomUtils.textContent(link)) }))
    .filter(({ text }) => text.slots.length > 0);

const inText = (text: string) => new MarkedText(text, MARK_IN_TEXT);

/** A text that is its link's target has no value that the target lacks. Of what the link holds, not all may be its text. */
function mayBeItsTarget({ href, text }: Anchor, values: readonly string[]): boolean {
  const target = href.fill(values);
  return text.slots.some((slot) => target.includes((values[slot] ?? '').replaceAll(' ', '')));
}
