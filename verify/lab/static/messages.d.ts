// Made by `python -m tests.lab.declared`: do not edit.

export interface Place {
  rows: number;
  cols: number;
  start: number;
  end: number;
  walls: Array<number>;
  moves: string;
}

export interface Open {
  ask: "open";
  id: number;
  text: string;
  name?: string;
}

export interface Look {
  ask: "look";
  id: number;
  place: Place;
  rules?: string;
  future?: boolean;
  witness?: boolean;
}

export interface Count {
  ask: "count";
  id: number;
  place: Place;
}

export interface Go {
  ask: "go";
  id: number;
  place: Place;
  how: "back" | "complete" | "exact" | "rules";
  rules?: string;
  seed?: number;
}

export interface LeftFirst {
  ask: "leftfirst";
  id: number;
  place: Place;
  rules?: string;
  speed?: number;
  step?: boolean;
  stop_stuck?: boolean;
  stop_complete?: boolean;
  counted?: boolean;
}

export interface Why {
  ask: "why";
  id: number;
  place: Place;
  moves: string;
}

export interface Prove {
  ask: "prove";
  id: number;
  place: Place;
}

export interface Keep {
  ask: "keep";
  id: number;
  place: Place;
  rules?: string;
}

export interface Export {
  ask: "export";
  id: number;
  place: Place;
  what: "case" | "html" | "notation" | "png" | "saved" | "svg";
  rules?: string;
  future?: boolean;
  witness?: boolean;
}

export interface AreaDrawn {
  cells: Array<[number, number]>;
  side: "left" | "right";
  kind: "beyond" | "closed" | "even" | "odd" | "odd-determined" | "within";
  low?: number | null;
  high?: number | null;
  base?: [number, number] | null;
  wall?: [number, number] | null;
  entry?: [number, number] | null;
  least?: number | null;
}

export interface ReadRule {
  ask: "readrule";
  id: number;
  text: string;
  rule?: number;
}

export interface ReadPicture {
  ask: "readpicture";
  id: number;
  text: string;
  name: string;
  forbid?: Array<"left" | "right" | "straight">;
}

export interface EditRule {
  ask: "editrule";
  id: number;
  text: string;
  rule?: number;
  rows?: Array<string> | null;
  areas?: Array<AreaDrawn> | null;
  turns?: Array<string> | null;
  mirror?: boolean | null;
}

export interface JudgeRule {
  ask: "judgerule";
  id: number;
  text: string;
  rule?: number;
}

export interface Certify {
  ask: "certify";
  id: number;
  text: string;
  rule?: number;
}

export interface CompareRule {
  ask: "comparerule";
  id: number;
  text: string;
  rule?: number;
}

export interface SaveRule {
  ask: "saverule";
  id: number;
  text: string;
  file: string;
}

export interface BookRule {
  ask: "bookrule";
  id: number;
  name: string;
}

export interface Book {
  ask: "book";
  id: number;
}

export interface Cases {
  ask: "cases";
  id: number;
  words?: string;
  kind?: string;
  first?: number;
}

export interface Labyrinths {
  ask: "labyrinths";
  id: number;
  place: Place;
  how?: "steps" | "uniform";
  look?: "line" | "walls";
  seed?: number;
  count?: number;
}

export interface Sheets {
  ask: "sheets";
  id: number;
  place: Place;
  how?: "steps" | "uniform";
  look?: "line" | "walls";
  seed?: number;
  count?: number;
  file?: "pdf" | "png" | "svg";
  paper?: "a4" | "letter";
  per_page?: number;
  solutions?: boolean;
}

export interface Stop {
  ask: "stop";
  id: number;
  what: string;
}

export interface Letter {
  letter: string;
  says: string;
  look: string;
  sign: string;
  forbids: boolean;
  forbidden: string;
  main: boolean;
}

export interface Welcome {
  reply: "welcome";
  id: number;
  position: string;
  rules: string;
  groups: Record<string, string>;
  files: Array<string>;
  letters: Array<Letter>;
}

export interface Done {
  reply: "done";
  id: number;
  seconds: number;
}

export interface Fault {
  reply: "fault";
  id: number;
  why: string;
}

export interface Opened {
  reply: "opened";
  id: number;
  place: Place;
  note?: string;
  rules?: string;
}

export interface Forbidden {
  rule: string;
  move: string;
  reason: string;
  areas: Array<number>;
}

export interface Area {
  colour: string;
  black: number;
  white: number;
}

export interface MoveTruth {
  move: string;
  cell: number;
  verdict: string;
  last?: boolean;
}

export interface Seen {
  reply: "seen";
  id: number;
  plain: string;
  notation: string;
  svg: string;
  verdict: string;
  moves: Array<MoveTruth>;
  forbidden: Array<Forbidden>;
  areas: Array<Area>;
  unvisited: number;
  rules?: string;
  ruled?: boolean;
  rules_fault?: string;
  why?: string;
  fatal?: [number, string] | null;
  partial?: boolean;
}

export interface Counted {
  reply: "counted";
  id: number;
  total: string;
  moves: Record<string, string>;
}

export interface Went {
  reply: "went";
  id: number;
  moves: string;
  note: string;
}

export interface LeftFirstPart {
  reply: "leftfirstpart";
  id: number;
  moves: string;
  completed: number;
  stuck: number;
  steps: number;
  seconds: number;
  fired: Record<string, number>;
  event: string;
}

export interface DeadMove {
  sentence: string;
  region: Array<number>;
  doors: Array<[number, number]>;
}

export interface Reasons {
  reply: "reasons";
  id: number;
  moves: Record<string, DeadMove>;
}

export interface Written {
  reply: "written";
  id: number;
  lines: Array<string>;
  files: Array<string>;
}

export interface Exported {
  reply: "exported";
  id: number;
  name: string;
  kind: string;
  data: string;
}

export interface RuleModel {
  name: string;
  forms: number;
  rows: Array<string>;
  areas: Array<AreaDrawn>;
  turns: Array<string>;
  mirror: boolean;
  frame: string;
  family: boolean;
  svg: string;
}

export interface RuleRead {
  reply: "ruleread";
  id: number;
  names: Array<string>;
  text?: string;
  model?: RuleModel | null;
  fault?: string;
}

export interface Figure {
  caption: string;
  svg: string;
}

export interface Judged {
  reply: "judged";
  id: number;
  name: string;
  word: string;
  lines: Array<string>;
  seconds: number;
  svg?: string;
  position?: string;
  move?: string;
  completion?: string;
  local?: Array<Figure>;
}

export interface Advice {
  reply: "advice";
  id: number;
  part: string;
  text: string;
  at?: [number, number] | null;
  letter?: string;
}

export interface Compared {
  reply: "compared";
  id: number;
  same: Array<string>;
  implied_by: Array<string>;
  implies: Array<string>;
}

export interface RuleCard {
  name: string;
  claim: string;
  groups: Array<string>;
  origin: string;
  svg?: string;
  verdict?: string;
  cases?: number;
}

export interface BookPart {
  reply: "bookpart";
  id: number;
  rules: Array<RuleCard>;
}

export interface RuleDetails {
  reply: "ruledetails";
  id: number;
  card: RuleCard;
  reason: string;
  note: string;
  text: string;
  drawn: Array<Figure>;
  evidence: Record<string, string>;
}

export interface CaseCard {
  name: string;
  kind: string;
  why: string;
  rules: string;
  plain: string;
  svg: string;
}

export interface CaseList {
  reply: "caselist";
  id: number;
  cases: Array<CaseCard>;
  first: number;
  total: number;
  faults: Array<string>;
  folder: string;
}

export interface Labyrinth {
  svg: string;
  plain: string;
}

export interface LabyrinthsDrawn {
  reply: "labyrinthsdrawn";
  id: number;
  drawn: Array<Labyrinth>;
  caption: string;
}

export type Request = Open | Look | Count | Go | LeftFirst | Why | Prove | Keep | Export | ReadRule | ReadPicture | EditRule | JudgeRule | Certify | CompareRule | SaveRule | BookRule | Book | Cases | Labyrinths | Sheets | Stop;

export type Reply = Welcome | Done | Fault | Opened | Seen | Counted | Went | LeftFirstPart | Reasons | Written | Exported | RuleRead | Judged | Advice | Compared | BookPart | RuleDetails | CaseList | LabyrinthsDrawn;

export type Question = Request extends infer R
  ? R extends Request ? Omit<R, "id"> : never : never;
