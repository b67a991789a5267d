// Made by `python -m verify.lab.types`: do not edit.

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
  what: "case" | "notation" | "png" | "saved" | "saved-svg" | "svg";
  rules?: string;
  future?: boolean;
  witness?: boolean;
}

export interface Stop {
  ask: "stop";
  id: number;
  what: string;
}

export interface Group {
  name: string;
  about: string;
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

export interface Done {
  tell: "done";
  id: number;
  seconds: number;
}

export interface Fault {
  tell: "fault";
  id: number;
  why: string;
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
  rules: Array<string>;
}

export interface MoveTold {
  move: string;
  cell: number;
  verdict: string;
  last?: boolean;
}

export interface Fatal {
  number: number;
  move: string;
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

export interface Counted {
  tell: "counted";
  id: number;
  total: string;
  moves: Record<string, string>;
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

export interface Exported {
  tell: "exported";
  id: number;
  name: string;
  kind: string;
  text?: string;
  data?: string;
}

export type Request = Stop | Open | Look | Count | Go | Prove | Keep | Export;

export type Reply = Welcome | Done | Fault | Opened | Seen | Counted | Went | Written | Exported;

export type Question = Request extends infer R
  ? R extends Request ? Omit<R, "id"> : never : never;
