// Made by `python -m verify.lab.types`: do not edit.

export interface AreaDrawn {
  cells: Array<[number, number]>;
  side: "left" | "right";
  kind: "beyond" | "closed" | "impair" | "impair-determined" | "pair" | "within";
  low?: number | null;
  high?: number | null;
  base?: [number, number] | null;
  wall?: [number, number] | null;
  entry?: [number, number] | null;
  least?: number | null;
}

export interface Book {
  ask: "book";
  id: number;
}

export interface BookRule {
  ask: "bookrule";
  id: number;
  name: string;
}

export interface Campaigns {
  ask: "campaigns";
  id: number;
}

export interface Cases {
  ask: "cases";
  id: number;
  words?: string;
  kind?: string;
  first?: number;
}

export interface CompareRule {
  ask: "comparerule";
  id: number;
  text: string;
  rule?: number;
}

export interface Count {
  ask: "count";
  id: number;
  place: Place;
}

export interface EditRule {
  ask: "editrule";
  id: number;
  text: string;
  rule?: number;
  form?: number;
  rows?: Array<string> | null;
  areas?: Array<AreaDrawn> | null;
  words?: Record<string, string>;
  lists?: Record<string, Array<string>>;
  flags?: Record<string, boolean>;
}

export interface Export {
  ask: "export";
  id: number;
  place: Place;
  what: "case" | "notation" | "png" | "saved" | "saved-svg" | "svg";
  rules?: string;
  future?: boolean;
  witness?: boolean;
}

export interface Go {
  ask: "go";
  id: number;
  place: Place;
  how: "back" | "complete" | "exact" | "rules";
  rules?: string;
  seed?: number;
}

export interface JudgeRule {
  ask: "judgerule";
  id: number;
  text: string;
  rule?: number;
  advice?: boolean;
}

export interface Keep {
  ask: "keep";
  id: number;
  place: Place;
  rules?: string;
}

export interface Labyrinths {
  ask: "labyrinths";
  id: number;
  place: Place;
  how?: "steps" | "uniform";
  look?: "line" | "walls";
  seed?: number;
  count?: number;
  file?: "" | "pdf" | "png" | "svg";
  paper?: "a4" | "letter";
  per_page?: number;
  solutions?: boolean;
}

export interface Look {
  ask: "look";
  id: number;
  place: Place;
  rules?: string;
  future?: boolean;
  witness?: boolean;
}

export interface Open {
  ask: "open";
  id: number;
  text: string;
  name?: string;
}

export interface Place {
  rows: number;
  cols: number;
  start: number;
  end: number;
  walls: Array<number>;
  moves: string;
}

export interface Prove {
  ask: "prove";
  id: number;
  place: Place;
}

export interface ReadRule {
  ask: "readrule";
  id: number;
  text: string;
  rule?: number;
  form?: number;
}

export interface SaveRule {
  ask: "saverule";
  id: number;
  text: string;
  file: string;
}

export interface Sheets {
  ask: "sheets";
  id: number;
  place: Place;
  how?: "steps" | "uniform";
  look?: "line" | "walls";
  seed?: number;
  count?: number;
  file?: "" | "pdf" | "png" | "svg";
  paper?: "a4" | "letter";
  per_page?: number;
  solutions?: boolean;
}

export interface Stop {
  ask: "stop";
  id: number;
  what: string;
}

export interface Advice {
  tell: "advice";
  id: number;
  part: string;
  told: string;
  drop?: boolean;
  at?: [number, number] | null;
  letter?: string;
  area?: number;
  kind?: string;
  least?: number;
}

export interface Area {
  colour: string;
  black: number;
  white: number;
  rules: Array<string>;
}

export interface BookTold {
  tell: "booktold";
  id: number;
  rules: Array<RuleCard>;
}

export interface CampaignCard {
  name: string;
  command: string;
  units: number;
  done: number;
  failed: number;
  share: number;
  seconds: number;
  cases: Array<string>;
  found: number;
  told: Array<string>;
}

export interface CampaignsTold {
  tell: "campaignstold";
  id: number;
  folder: string;
  campaigns: Array<CampaignCard>;
  faults: Array<string>;
}

export interface CaseCard {
  name: string;
  kind: string;
  why: string;
  rules: string;
  subject: string;
  plain: string;
  svg: string;
}

export interface CasesTold {
  tell: "casestold";
  id: number;
  cases: Array<CaseCard>;
  first: number;
  total: number;
  faults: Array<string>;
  folder: string;
}

export interface Compared {
  tell: "compared";
  id: number;
  same: Array<string>;
  implied_by: Array<string>;
  implies: Array<string>;
  asked: number;
}

export interface Counted {
  tell: "counted";
  id: number;
  total: string;
  moves: Record<string, string>;
}

export interface Done {
  tell: "done";
  id: number;
  seconds: number;
}

export interface Exported {
  tell: "exported";
  id: number;
  name: string;
  kind: string;
  text?: string;
  data?: string;
}

export interface Fatal {
  number: number;
  move: string;
}

export interface Fault {
  tell: "fault";
  id: number;
  why: string;
}

export interface Forbidden {
  rule: string;
  move: string;
  reason: string;
  areas: Array<number>;
}

export interface Group {
  name: string;
  about: string;
}

export interface Judged {
  tell: "judged";
  id: number;
  name: string;
  word: string;
  told: Array<string>;
  seconds: number;
  svg?: string;
  position?: string;
  move?: string;
  local?: Array<Local>;
}

export interface Labyrinth {
  svg: string;
  plain: string;
}

export interface LabyrinthsDrawn {
  tell: "labyrinthsdrawn";
  id: number;
  drawn: Array<Labyrinth>;
  told: string;
}

export interface Local {
  part: string;
  svg: string;
}

export interface MoveTold {
  move: string;
  cell: number;
  verdict: string;
  last?: boolean;
}

export interface Opened {
  tell: "opened";
  id: number;
  place: Place;
  notation: string;
  plain: string;
  note?: string;
  rules?: string;
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

export interface RuleFault {
  why: string;
  line: number;
  row: number;
  col: number;
}

export interface RuleModel {
  name: string;
  claim: string;
  reason: string;
  forms: number;
  rows: Array<string>;
  areas: Array<AreaDrawn>;
  turns: Array<string>;
  mirror: boolean;
  frame: string;
  heading: string;
  symmetries: Array<string>;
  family: boolean;
  drawings: number;
  svg: string;
}

export interface RuleRead {
  tell: "ruleread";
  id: number;
  names: Array<string>;
  text?: string;
  rule?: number;
  model?: RuleModel | null;
  fault?: RuleFault | null;
}

export interface RuleTold {
  tell: "ruletold";
  id: number;
  card: RuleCard;
  reason: string;
  note: string;
  text: string;
  drawn: Array<Local>;
  evidence: Record<string, string>;
  more?: number;
}

export interface Seen {
  tell: "seen";
  id: number;
  plain: string;
  notation: string;
  svg: string;
  verdict: string;
  moves: Array<MoveTold>;
  forbidden: Array<Forbidden>;
  areas: Array<Area>;
  unvisited: number;
  complete?: boolean;
  why?: string;
  fatal?: Fatal | null;
  partial?: boolean;
}

export interface Welcome {
  tell: "welcome";
  id: number;
  version: string;
  position: string;
  rules: string;
  groups: Array<Group>;
  files: Array<string>;
  folder: string;
}

export interface Went {
  tell: "went";
  id: number;
  moves: string;
  told: string;
}

export interface Written {
  tell: "written";
  id: number;
  told: Array<string>;
  files: Array<string>;
}

export type Request = Stop | Open | Look | Count | Go | Prove | Keep | Export | ReadRule | EditRule | JudgeRule | CompareRule | SaveRule | Book | BookRule | Cases | Campaigns | Labyrinths | Sheets;

export type Reply = Welcome | Done | Fault | Opened | Seen | Counted | Went | Written | Exported | RuleRead | Judged | Advice | Compared | BookTold | RuleTold | CasesTold | CampaignsTold | LabyrinthsDrawn;

export type Question = Request extends infer R
  ? R extends Request ? Omit<R, "id"> : never : never;
